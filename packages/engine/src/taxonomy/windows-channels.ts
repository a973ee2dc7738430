/** Sigma services of Windows channels, from the Sigma taxonomy and the logsource map of SigmaHQ. */
export const windowsChannels: readonly (readonly [channel: string, ...services: string[]])[] = [
  ['Application', 'application'],
  ['Security', 'security'],
  ['System', 'system'],
  ['Microsoft-Windows-Sysmon/Operational', 'sysmon'],
  ['Microsoft-Windows-PowerShell/Operational', 'powershell'],
  ['PowerShellCore/Operational', 'powershell'],
  ['Windows PowerShell', 'powershell-classic'],
  ['DNS Server', 'dns-server'],
  ['MSExchange Management', 'msexchange-management'],
  ['Microsoft-IIS-Configuration/Operational', 'iis-configuration'],
  // SigmaHQ has two names for this service: the first in its only rule, the second in its map.
  ['Microsoft-ServiceBus-Client/Admin', 'microsoft-servicebus-client', 'servicebus-client'],
  ['Microsoft-ServiceBus-Client/Operational', 'microsoft-servicebus-client', 'servicebus-client'],
  ['Microsoft-Windows-AppLocker/EXE and DLL', 'applocker'],
  ['Microsoft-Windows-AppLocker/MSI and Script', 'applocker'],
  ['Microsoft-Windows-AppLocker/Packaged app-Deployment', 'applocker'],
  ['Microsoft-Windows-AppLocker/Packaged app-Execution', 'applocker'],
  ['Microsoft-Windows-AppModel-Runtime/Admin', 'appmodel-runtime'],
  ['Microsoft-Windows-AppXDeploymentServer/Operational', 'appxdeployment-server'],
  ['Microsoft-Windows-AppxPackaging/Operational', 'appxpackaging-om'],
  ['Microsoft-Windows-Application-Experience/Program-Compatibility-Assistant', 'application-experience'],
  ['Microsoft-Windows-Application-Experience/Program-Telemetry', 'application-experience'],
  ['Microsoft-Windows-BitLocker/BitLocker Management', 'bitlocker'],
  ['Microsoft-Windows-Bits-Client/Operational', 'bits-client'],
  ['Microsoft-Windows-CAPI2/Operational', 'capi2'],
  [
    'Microsoft-Windows-CertificateServicesClient-Lifecycle-System/Operational',
    'certificateservicesclient-lifecycle-system',
  ],
  ['Microsoft-Windows-CodeIntegrity/Operational', 'codeintegrity-operational'],
  ['Microsoft-Windows-DHCP-Server/Operational', 'dhcp'],
  ['Microsoft-Windows-DNS Client Events/Operational', 'dns-client'],
  ['Microsoft-Windows-DNS-Server/Analytical', 'dns-server-analytic'],
  ['Microsoft-Windows-DNS-Server/Audit', 'dns-server-audit'],
  // Windows has this spelling of the DNS channels, the taxonomy the one above.
  ['Microsoft-Windows-DNS-Client/Operational', 'dns-client'],
  ['Microsoft-Windows-DNSServer/Analytical', 'dns-server-analytic'],
  ['Microsoft-Windows-DNSServer/Audit', 'dns-server-audit'],
  ['Microsoft-Windows-Diagnosis-Scripted/Operational', 'diagnosis-scripted'],
  ['Microsoft-Windows-DriverFrameworks-UserMode/Operational', 'driver-framework'],
  ['Microsoft-Windows-Hyper-V-Worker', 'hyper-v-worker'],
  ['Microsoft-Windows-Kernel-EventTracing', 'kernel-event-tracing'],
  ['Microsoft-Windows-Kernel-ShimEngine/Diagnostic', 'kernel-shimengine'],
  ['Microsoft-Windows-Kernel-ShimEngine/Operational', 'kernel-shimengine'],
  ['Microsoft-Windows-LDAP-Client/Debug', 'ldap'],
  ['Microsoft-Windows-LSA/Operational', 'lsa-server'],
  ['Microsoft-Windows-NTLM/Operational', 'ntlm'],
  ['Microsoft-Windows-Ntfs/Operational', 'ntfs'],
  ['Microsoft-Windows-PrintService/Admin', 'printservice-admin'],
  ['Microsoft-Windows-PrintService/Operational', 'printservice-operational'],
  ['Microsoft-Windows-SENSE/Operational', 'sense'],
  ['Microsoft-Windows-SMBServer/Connectivity', 'smbserver-connectivity'],
  ['Microsoft-Windows-Security-Mitigations/Kernel Mode', 'security-mitigations'],
  ['Microsoft-Windows-Security-Mitigations/User Mode', 'security-mitigations'],
  ['Microsoft-Windows-Shell-Core/Operational', 'shell-core'],
  ['Microsoft-Windows-SmbClient/Connectivity', 'smbclient-connectivity'],
  ['Microsoft-Windows-SmbClient/Security', 'smbclient-security'],
  ['Microsoft-Windows-TaskScheduler/Operational', 'taskscheduler'],
  ['Microsoft-Windows-TerminalServices-LocalSessionManager/Operational', 'terminalservices-localsessionmanager'],
  ['Microsoft-Windows-VHDMP/Operational', 'vhdmp'],
  ['Microsoft-Windows-WMI-Activity/Operational', 'wmi'],
  ['Microsoft-Windows-Windows Defender/Operational', 'windefend'],
  ['Microsoft-Windows-Windows Firewall With Advanced Security/Firewall', 'firewall-as'],
  ['OpenSSH/Operational', 'openssh'],
]

/** Providers that write to a single channel, which is assumed when the event does not name its channel. */
export const providerChannels: readonly (readonly [provider: string, channel: string])[] = [
  ['Microsoft-Windows-Sysmon', 'Microsoft-Windows-Sysmon/Operational'],
  ['Microsoft-Windows-Security-Auditing', 'Security'],
  ['PowerShell', 'Windows PowerShell'],
  ['Service Control Manager', 'System'],
]

/** The channel of Sysmon for Linux: the same events and names, but another product. */
export const linuxSysmonChannel = 'Linux-Sysmon/Operational'

/** The channel of the RPC Firewall, a product of its own in Sigma. */
export const rpcFirewallChannel = 'RPCFW'
