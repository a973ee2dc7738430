import type { PlatformSnapshot } from '@tripline/compliance/signals/snapshot'
import type { Rule } from '@tripline/model/rule'

type SourceClass = NonNullable<PlatformSnapshot['readings']['sourceClasses']>['data']['seen'][number]

/** Words in the log source of a rule that tell of what its events are. */
const wordsOfClasses: { readonly [name in SourceClass]: readonly string[] } = {
  authentication: [
    'security', 'auth', 'sshd', 'sudo', 'pam', 'vsftpd', 'signinlogs', 'okta', 'onelogin', 'authentication', 'ntlm', 'ldap', 'kerberos',
    'login', 'google_workspace.login', 'bitwarden',
  ],
  endpoint: [
    'process_creation', 'process_access', 'process_termination', 'process_tampering', 'file_event', 'file_access', 'file_change',
    'file_delete', 'file_rename', 'file_executable_detected', 'image_load', 'driver_load', 'registry_event', 'registry_set',
    'registry_add', 'registry_delete', 'create_remote_thread', 'create_stream_hash', 'pipe_created', 'wmi_event', 'raw_access_thread',
    'ps_script', 'ps_module', 'ps_classic_start', 'sysmon', 'auditd', 'antivirus', 'windefend', 'sysmon_status', 'sysmon_error',
  ],
  network: [
    'dns', 'dns_query', 'firewall', 'proxy', 'network_connection', 'webserver', 'zeek', 'suricata', 'cisco', 'fortigate', 'paloalto',
    'juniper', 'huawei', 'netflow', 'firewall-as', 'dns-server', 'dns-server-analytic', 'apache', 'nginx', 'squid', 'modsecurity',
  ],
  administration: [
    'aws', 'cloudtrail', 'azure', 'activitylogs', 'auditlogs', 'gcp', 'm365', 'kubernetes', 'github', 'gitlab', 'bitbucket', 'system',
    'powershell', 'powershell-classic', 'taskscheduler', 'bits-client', 'gworkspace', 'google_workspace.admin', 'opencanary',
  ],
}

/** The classes of log sources that a rule reads. */
export function classifySource({ product = '', category = '', service = '' }: Rule['logsource']): SourceClass[] {
  const words = new Set([product, category, service].map((word) => word.toLowerCase()))
  const names = Object.keys(wordsOfClasses) as SourceClass[]
  return names.filter((name) => wordsOfClasses[name].some((word) => words.has(word)))
}

/** Whether a rule reads what malware protection reports. */
export function readsMalwareProtection({ product = '', category = '', service = '' }: Rule['logsource']): boolean {
  return category === 'antivirus' || service === 'windefend' || product === 'clamav' || service === 'clamav'
}
