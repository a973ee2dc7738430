import type { Logsource } from '../../event/event.ts'

/** Record types of the Linux audit system, as auditd prints them (linux/audit.h and libaudit). */
export const auditRecordTypes: readonly string[] = [
  'ACCT_LOCK', 'ACCT_UNLOCK', 'ADD_GROUP', 'ADD_USER', 'ANOM_ABEND', 'ANOM_ACCESS_FS', 'ANOM_ADD_ACCT',
  'ANOM_AMTU_FAIL', 'ANOM_CREAT', 'ANOM_CRYPTO_FAIL', 'ANOM_DEL_ACCT', 'ANOM_EXEC', 'ANOM_LINK', 'ANOM_LOGIN_ACCT',
  'ANOM_LOGIN_FAILURES', 'ANOM_LOGIN_LOCATION', 'ANOM_LOGIN_SESSIONS', 'ANOM_LOGIN_TIME', 'ANOM_MK_EXEC',
  'ANOM_MOD_ACCT', 'ANOM_PROMISCUOUS', 'ANOM_RBAC_FAIL', 'ANOM_ROOT_TRANS', 'AVC', 'AVC_PATH', 'BPF', 'BPRM_FCAPS',
  'CAPSET', 'CHGRP_ID', 'CHUSER_ID', 'CONFIG_CHANGE', 'CRED_ACQ', 'CRED_DISP', 'CRED_REFR', 'CRYPTO_KEY_USER',
  'CRYPTO_LOGIN', 'CRYPTO_LOGOUT', 'CRYPTO_SESSION', 'CWD', 'DAC_CHECK', 'DAEMON_ABORT', 'DAEMON_ACCEPT',
  'DAEMON_CLOSE', 'DAEMON_CONFIG', 'DAEMON_END', 'DAEMON_RESUME', 'DAEMON_ROTATE', 'DAEMON_START', 'DEL_GROUP',
  'DEL_USER', 'DEV_ALLOC', 'DEV_DEALLOC', 'EOE', 'EVENT_LISTENER', 'EXECVE', 'FANOTIFY', 'FD_PAIR',
  'FEATURE_CHANGE', 'FS_RELABEL', 'GRP_AUTH', 'GRP_CHAUTHTOK', 'GRP_MGMT', 'INTEGRITY_DATA', 'INTEGRITY_HASH',
  'INTEGRITY_METADATA', 'INTEGRITY_PCR', 'INTEGRITY_RULE', 'INTEGRITY_STATUS', 'IPC', 'IPC_SET_PERM', 'KERNEL',
  'KERNEL_OTHER', 'KERN_MODULE', 'LABEL_LEVEL_CHANGE', 'LABEL_OVERRIDE', 'LOGIN', 'MAC_CHECK', 'MAC_CONFIG_CHANGE',
  'MAC_POLICY_LOAD', 'MAC_STATUS', 'MMAP', 'MQ_GETSETATTR', 'MQ_NOTIFY', 'MQ_OPEN', 'MQ_SENDRECV', 'NETFILTER_CFG',
  'NETFILTER_PKT', 'OBJ_PID', 'OPENAT2', 'PATH', 'PROCTITLE', 'RESP_ACCT_LOCK', 'RESP_ANOMALY', 'RESP_EXEC',
  'ROLE_ASSIGN', 'ROLE_MODIFY', 'ROLE_REMOVE', 'SECCOMP', 'SELINUX_ERR', 'SERVICE_START', 'SERVICE_STOP',
  'SOCKADDR', 'SOCKETCALL', 'SOFTWARE_UPDATE', 'SYSCALL', 'SYSTEM_BOOT', 'SYSTEM_RUNLEVEL', 'SYSTEM_SHUTDOWN',
  'TEST', 'TIME_ADJNTPVAL', 'TIME_INJOFFSET', 'TRUSTED_APP', 'TTY', 'URINGOP', 'USER', 'USER_ACCT', 'USER_AUTH',
  'USER_AVC', 'USER_CHAUTHTOK', 'USER_CMD', 'USER_DEVICE', 'USER_END', 'USER_ERR', 'USER_LABELED_EXPORT',
  'USER_LOGIN', 'USER_LOGOUT', 'USER_MAC_CONFIG_CHANGE', 'USER_MAC_POLICY_LOAD', 'USER_MAC_STATUS', 'USER_MGMT',
  'USER_ROLE_CHANGE', 'USER_SELINUX_ERR', 'USER_START', 'USER_TTY', 'USER_UNLABELED_EXPORT', 'USYS_CONFIG',
  'VIRT_CONTROL', 'VIRT_CREATE', 'VIRT_DESTROY', 'VIRT_INTEGRITY_CHECK', 'VIRT_MACHINE_ID', 'VIRT_MIGRATE_IN',
  'VIRT_MIGRATE_OUT', 'VIRT_RESOURCE',
]

/** Categories of the activity log of a subscription, as exported to storage or an event hub. */
export const azureActivityCategories = [
  'Administrative', 'Alert', 'Autoscale', 'Policy', 'Recommendation', 'ResourceHealth', 'Security', 'ServiceHealth',
] as const

/** Categories of the directory logs in the same export -> service. */
export const azureDirectoryServices: ReadonlyMap<string, readonly Logsource[]> = services([
  ['AuditLogs', 'auditlogs'],
  ['SignInLogs', 'signinlogs'],
  ['NonInteractiveUserSignInLogs', 'signinlogs'],
  ['ServicePrincipalSignInLogs', 'signinlogs'],
  ['ManagedIdentitySignInLogs', 'signinlogs'],
  ['UserRiskEvents', 'riskdetection'],
  ['ServicePrincipalRiskEvents', 'riskdetection'],
])

/** Tables of Log Analytics, from the field `Type` of a row -> service. */
export const azureTableServices: ReadonlyMap<string, readonly Logsource[]> = services([
  ['AzureActivity', 'activitylogs'],
  ['AuditLogs', 'auditlogs'],
  ['SigninLogs', 'signinlogs'],
  ['AADNonInteractiveUserSignInLogs', 'signinlogs'],
  ['AADServicePrincipalSignInLogs', 'signinlogs'],
  ['AADManagedIdentitySignInLogs', 'signinlogs'],
  ['AADUserRiskEvents', 'riskdetection'],
])

function services(rows: readonly (readonly [value: string, service: string])[]): Map<string, readonly Logsource[]> {
  return new Map(rows.map(([value, service]) => [value, [{ product: 'azure', service }]]))
}

/**
 * Areas of the GitHub audit log, the part of `action` before the dot, that identify it together with an actor and an
 * organization or repository. Areas such as `user` or `team` are too common.
 */
export const githubAreas: ReadonlySet<string> = new Set([
  'business', 'codespaces', 'copilot', 'dependabot_alerts', 'dependabot_repository_access',
  'dependabot_security_updates', 'dependency_graph', 'enterprise', 'git', 'hook', 'integration_installation',
  'ip_allow_list', 'ip_allow_list_entry', 'oauth_application', 'org', 'org_credential_authorization',
  'organization_default_label', 'personal_access_token', 'private_repository_forking', 'protected_branch',
  'pull_request', 'repo', 'repository_advisory', 'repository_ruleset', 'repository_secret_scanning',
  'repository_visibility_change', 'repository_vulnerability_alert', 'repository_vulnerability_alerts',
  'secret_scanning', 'secret_scanning_alert', 'secret_scanning_new_repos', 'secret_scanning_push_protection',
  'sso_redirect', 'workflows',
])

/** Sigma service -> Linux programs that write its lines to syslog. */
const syslogPrograms: readonly (readonly [service: string, ...programs: string[]])[] = [
  ['auth', 'gdm-password', 'groupadd', 'groupdel', 'groupmod', 'login', 'passwd', 'su', 'systemd-logind', 'useradd',
    'userdel', 'usermod'],
  ['clamav', 'clamd', 'freshclam'],
  ['cron', 'CRON', 'anacron', 'cron', 'crond', 'crontab'],
  ['guacamole', 'guacd'],
  ['sshd', 'sshd', 'sshd-session'],
  ['sudo', 'sudo'],
  ['syslog', 'kernel', 'rsyslogd', 'systemd'],
  ['vsftpd', 'vsftpd'],
]

export const syslogServices: ReadonlyMap<string, readonly Logsource[]> = new Map(
  syslogPrograms.flatMap(([service, ...names]) => {
    const logsources = [{ product: 'linux', service }]
    return names.map((name): [string, readonly Logsource[]] => [name, logsources])
  }),
)

/** Zeek logs, named in `_path`; the Sigma service has the same name. */
const zeekNames = [
  'analyzer', 'app_stats', 'bacnet', 'capture_loss', 'cluster', 'config', 'conn', 'dce_rpc', 'dhcp', 'dnp3', 'dns',
  'dpd', 'ecat_registers', 'enip', 'files', 'ftp', 'http', 'intel', 'irc', 'kerberos', 'known_certs', 'known_hosts',
  'known_modbus', 'known_services', 'ldap', 'ldap_search', 'loaded_scripts', 'modbus', 'modbus_register_change',
  'mqtt_connect', 'mqtt_publish', 'mqtt_subscribe', 'mysql', 'netcontrol', 'notice', 'notice_alarm', 'ntlm', 'ntp',
  'ocsp', 'openflow', 'packet_filter', 'pe', 'postgresql', 'quic', 'radius', 'rdp', 'redis', 'reporter', 'rfb',
  's7comm', 'signatures', 'sip', 'smb_cmd', 'smb_files', 'smb_mapping', 'smtp', 'snmp', 'socks', 'software', 'ssh',
  'ssl', 'stats', 'syslog', 'telemetry', 'traceroute', 'tunnel', 'unified2', 'websocket', 'weird', 'x509',
] as const

/** Logs whose fields rules for a category read too. */
const zeekCategories: ReadonlyMap<string, string> = new Map([['dns', 'dns'], ['http', 'proxy']])

export const zeekLogs: ReadonlyMap<string, readonly Logsource[]> = new Map(zeekNames.map((service) => {
  const category = zeekCategories.get(service)
  return [service, [{ product: 'zeek', service }, ...(category === undefined ? [] : [{ category }])]]
}))
