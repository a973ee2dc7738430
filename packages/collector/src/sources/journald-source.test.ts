import { expect, test } from 'vitest'
import { readJournalEntry } from './journald-source.ts'

test('an entry of the journal has the names of the Elastic Common Schema, and its cursor', () => {
  const entry = {
    __CURSOR: 's=1', __REALTIME_TIMESTAMP: '1763632800123456', MESSAGE: [72, 105], PRIORITY: '4', _HOSTNAME: 'web-1', SYSLOG_IDENTIFIER: 'sshd', _PID: '7',
    _SYSTEMD_UNIT: 'ssh.service',
  }
  expect(readJournalEntry(JSON.stringify(entry))).toMatchObject({
    cursor: 's=1',
    event: {
      '@timestamp': '2025-11-20T10:00:00.123Z', message: 'Hi', host: { hostname: 'web-1' }, process: { name: 'sshd', pid: 7 },
      systemd: { unit: 'ssh.service' }, log: { syslog: { appname: 'sshd', severity: { code: 4, name: 'Warning' } } },
    },
  })
  expect(readJournalEntry('[]')).toBeUndefined()
})
