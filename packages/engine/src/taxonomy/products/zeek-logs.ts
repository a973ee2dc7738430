import type { Logsource } from '../../event/event.ts'

/** Zeek logs, named in `_path`; the Sigma service has the same name. */
const names = [
  'analyzer', 'app_stats', 'bacnet', 'capture_loss', 'cluster', 'config', 'conn', 'dce_rpc', 'dhcp', 'dnp3', 'dns',
  'dpd', 'ecat_registers', 'enip', 'files', 'ftp', 'http', 'intel', 'irc', 'kerberos', 'known_certs', 'known_hosts',
  'known_modbus', 'known_services', 'ldap', 'ldap_search', 'loaded_scripts', 'modbus', 'modbus_register_change',
  'mqtt_connect', 'mqtt_publish', 'mqtt_subscribe', 'mysql', 'netcontrol', 'notice', 'notice_alarm', 'ntlm', 'ntp',
  'ocsp', 'openflow', 'packet_filter', 'pe', 'postgresql', 'quic', 'radius', 'rdp', 'redis', 'reporter', 'rfb',
  's7comm', 'signatures', 'sip', 'smb_cmd', 'smb_files', 'smb_mapping', 'smtp', 'snmp', 'socks', 'software', 'ssh',
  'ssl', 'stats', 'syslog', 'telemetry', 'traceroute', 'tunnel', 'unified2', 'websocket', 'weird', 'x509',
] as const

export const zeekLogs: ReadonlyMap<string, readonly Logsource[]> = new Map(
  names.map((service) => [service, [{ product: 'zeek', service }]]),
)
