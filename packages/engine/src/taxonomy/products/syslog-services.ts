import type { Logsource } from '../../event/event.ts'

/** Sigma service -> Linux programs that write its lines to syslog. */
const programs: readonly (readonly [service: string, ...programs: string[]])[] = [
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
  programs.flatMap(([service, ...names]) => {
    const logsources = [{ product: 'linux', service }]
    return names.map((name): [string, readonly Logsource[]] => [name, logsources])
  }),
)
