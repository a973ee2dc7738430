import type { EventObject } from '@tripline/engine'

/** Events that the queries below are asked of, by number. */
export const events: readonly EventObject[] = [
  /* 0 */ { '@timestamp': '2026-05-06T07:08:09.000Z', Image: String.raw`C:\Windows\System32\cmd.exe`, User: 'SYSTEM', EventID: 1, message: 'Process created' },
  /* 1 */ { '@timestamp': '2026-05-06T23:59:59.999Z', Image: String.raw`C:\Program Files\App\app.exe`, User: 'alice', EventID: '1', message: 'process CREATED: app' },
  /* 2 */ { '@timestamp': '2026-05-07T00:00:00.000Z', process: { executable: '/usr/bin/bash', command_line: 'bash -i' }, user: { name: 'root' }, message: 'started bash' },
  /* 3 */ { '@timestamp': 1_778_137_200, src_ip: '10.1.2.3', bytes: 512, message: 'connection allowed' },
  /* 4 */ { '@timestamp': 1_778_137_200_500, src_ip: '::ffff:10.1.2.4', bytes: '2048', message: 'connection denied' },
  /* 5 */ { src_ip: ['192.168.0.1', '10.9.9.9'], bytes: [1, 4096], tags: ['vpn', 'Night'], message: null },
  /* 6 */ { bytes: null, 'Threat Name': 'Trojan', note: '', message: 'he said "100% sure_"' },
  /* 7 */ { bytes: 9_007_199_254_740_992, id: '9007199254740993', 'dotted.name': 'literal', dotted: { name: 'nested' }, Message: 'Ärger in München' },
  /* 8 */ { list: [{ name: 'x' }, { name: 'y' }], dotted: { name: 'nested' }, body: 'null and void', ok: true },
  /* 9 */ {},
]

const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

/** What each query finds. */
export const searchRows: readonly (readonly [query: string, rows: readonly number[]])[] = [
  ['*', all],
  ['NOT *', []],

  // Bare words and phrases
  ['created', [0, 1]],
  ['CREATED', [0, 1]],
  ['process created', [0, 1]],
  ['"process created"', [0, 1]],
  ['"created process"', []],
  [String.raw`proc*d\:`, [1]],
  ['st?rted', [2]],
  ['100%', [6]],
  ['100_', []],
  [String.raw`\"100`, [6]],
  ['sure?', [6]],
  ['"sure?"', []],
  ['ÄRGER', [7]],
  ['null', [8]],
  ['connection OR bash', [2, 3, 4]],
  ['connection NOT denied', [3]],

  // Values of fields
  ['User:system', [0]],
  ['User:sys', []],
  ['User:s*', [0]],
  ['User:*', [0, 1, 2]],
  ['NOT User:*', [3, 4, 5, 6, 7, 8, 9]],
  ['User:?????', [1]],
  [String.raw`Image:C:\Windows\System32\cmd.exe`, [0]],
  [String.raw`Image:*\cmd.exe`, [0]],
  [String.raw`Image:"C:\Program Files\App\app.exe"`, [1]],
  [String.raw`Image:C:\Program\ Files\\*`, [1]],
  ['Image:"*"', []],
  ['"Threat Name":trojan', [6]],
  ['tags:night', [5]],
  ['tags:(vpn AND night)', [5]],
  ['NOT tags:vpn', [0, 1, 2, 3, 4, 6, 7, 8, 9]],
  ['note:""', [6]],
  ['note:*', [6]],
  ['bytes:*', [3, 4, 5, 6, 7]],
  ['bytes:**', [3, 4, 5, 7]],
  ['bytes:null', [0, 1, 2, 6, 8, 9]],
  ['ok:true', [8]],
  ['ok:TRUE', [8]],
  ['dotted.name:literal', [7]],
  ['dotted.name:nested', [8]],
  ['list.name:y', [8]],
  ['__proto__:*', []],
  ['constructor:*', []],
  ['"":x', []],

  // Other names of fields
  ['process.executable:*cmd.exe', [0]],
  ['process.executable.path:*bash', [2]],
  ['Image:*bash', [2]],
  ['user.name:(root OR alice)', [1, 2]],
  ['process.command_line:"bash -i"', [2]],
  ['CommandLine:bash*', [2]],
  ['source.ip:10.1.2.3', [3]],
  ['Image:null', [3, 4, 5, 6, 7, 8, 9]],
  ['NOT process.executable:*', [3, 4, 5, 6, 7, 8, 9]],

  // Numbers
  ['EventID:1', [0, 1]],
  ['EventID:1.0', [0, 1]],
  ['EventID:"1"', [0, 1]],
  ['EventID:"1.0"', []],
  ['bytes:512', [3]],
  ['bytes:2048', [4]],
  ['bytes:2*', [4]],
  ['bytes:>512', [4, 5, 7]],
  ['bytes:>=512', [3, 4, 5, 7]],
  ['bytes:<512', [5]],
  ['bytes:[512 TO 2048]', [3, 4, 5]],
  ['bytes:{512 TO 2048]', [4, 5]],
  ['bytes:[512 TO 2048}', [3, 5]],
  ['bytes:[* TO 600]', [3, 5]],
  ['bytes:(512 OR >4000)', [3, 5, 7]],
  ['id:9007199254740993', [7]],
  ['id:9007199254740992', []],
  ['bytes:9007199254740992', [7]],

  // Networks
  ['src_ip:10.0.0.0/8', [3, 4, 5]],
  ['src_ip:"10.0.0.0/8"', []],
  ['src_ip:(10.1.0.0/16 OR 192.168.0.0/24)', [3, 4, 5]],
  ['src_ip:10.*', [3, 5]],

  // Times
  ['@timestamp:[2026-05-06 TO 2026-05-06]', [0, 1]],
  ['@timestamp:[2026-05-06 TO 2026-05-07]', [0, 1, 2, 3, 4]],
  ['@timestamp:{2026-05-06 TO *]', [2, 3, 4]],
  ['@timestamp:<2026-05-06T23:59:59.999Z', [0]],
  ['@timestamp:<=2026-05-06T23:59:59', [0, 1]],
  ['@timestamp:<=2026-05-06T23:59:59.500Z', [0]],
  ['@timestamp:>2026-05-06T23:59', [2, 3, 4]],
  ['@timestamp:[2026-05-06T09:08:09+02:00 TO 2026-05-06T07:08:09Z]', [0]],
  ['@timestamp:[2026-05-07T07:00:00.5Z TO *]', [4]],
  ['@timestamp:2026-05-06*', [0, 1]],

  // Precedence
  ['User:alice OR User:system EventID:5', [1]],
  ['(User:alice OR User:system) EventID:1', [0, 1]],
  ['NOT User:alice AND EventID:1', [0]],
  ['NOT (User:alice OR EventID:1)', [2, 3, 4, 5, 6, 7, 8, 9]],
  ['NOT NOT User:alice', [1]],
]
