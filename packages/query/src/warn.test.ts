import { expect, test } from 'vitest'
import { findQueryWarnings } from './warn.ts'

test.for<[query: string, messages: string[]]>([
  ['user:alice && host:a', ["'&&' is a text to look for; write AND"]],
  ['a || b', ["'||' is a text to look for; write OR"]],
  ['a | stats', ["'|' is a text to look for; write OR"]],
  ['user = alice', ["'=' is a text to look for; write field:value, or NOT field:value"]],
  ['user == alice', ["'==' is a text to look for; write field:value, or NOT field:value"]],
  ['user != alice', ["'!=' is a text to look for; write field:value, or NOT field:value"]],
  ['user=alice', ["'user=alice' is a text to look for; write user:alice"]],
  ['!user:alice', ["'!' is part of the text '!user:alice'; write NOT user:alice"]],
  ['-user:alice a', ["'-' is part of the name in '-user:alice'; write NOT user:alice"]],
  ['+alice', ["'+' is part of the text '+alice'; all terms must match anyway"]],
  ['user:alice + x', ["'+' is a text to look for; all terms must match anyway"]],
  ['user:alice - x', ["'-' is a text to look for; write NOT"]],
  ['_exists_:user', ["'_exists_' is taken for a field; write user:*"]],
  ['path:/tmp/', [`'path:/tmp/' is a regular expression; for a text write path:"/tmp/"`]],
  ['time:2026-13-01', ["'2026-13-01' is no date"]],
  ['time:2026-05-06', ["'2026-05-06' is compared as text; for a time write time:[2026-05-06 TO 2026-05-06]"]],
  ['user in (a b)', ["'in' is a text to look for; write user:(a OR b)"]],
  ['user: alice', ["a blank follows 'user:'; write user:alice without it"]],
])('%s', ([query, messages]) => {
  expect(findQueryWarnings(query).map(({ message }) => message)).toEqual(messages)
})

test.for([
  '', 'user:alice AND NOT host:b', 'CommandLine:"a && b"', 'a-b', '-enc', 'Image:*\\\\cmd.exe', 'bytes:[1 TO 5]', 'host:(a OR b)',
  'login in progress',
  'path:/var/log', 'Image:/cmd.*/', 'time:2026-05-*', 'time:[now-1h TO now]', '*:x', '/usr/bin/curl', 'time:>=2024-01-01', 'a:"b = c"', 'count:>5', 'SGVsbG8=',
])('says nothing of %s', (query) => {
  expect(findQueryWarnings(query)).toEqual([])
})

const fields = ['Event.EventData.Image', 'Event.System.EventID', 'user', 'source.ip', '@timestamp']

test.for<[query: string, messages: string[]]>([
  ['Imgae:a', ["no recent event has the field 'Imgae'; did you mean 'Image'?"]],
  ['usr:a OR usr:b', ["no recent event has the field 'usr'; did you mean 'user'?"]],
  ['NOT (Zzz:1)', ["no recent event has the field 'Zzz'"]],
  ['NewProcessImage:a', ["no recent event has the field 'NewProcessImage'; did you mean 'Image'?"]],
  ['image:a eventid:1 source.ip:* EventData.Image:a', []],
  ['SourceIp:a process.executable:a host:a word *:b', []],
  ['!image:a Zzz:1', ["'!' is part of the text '!image:a'; write NOT image:a", "no recent event has the field 'Zzz'"]],
  ['_exists_:user', ["'_exists_' is taken for a field; write user:*"]],
  ['Zzz:/tmp/', [`'Zzz:/tmp/' is a regular expression; for a text write Zzz:"/tmp/"`, "no recent event has the field 'Zzz'"]],
  ['', []],
])('fields of %s', ([query, messages]) => {
  expect(findQueryWarnings(query, { fields }).map(({ message }) => message)).toEqual(messages)
})

test('knows nothing of fields where none is stored', () => {
  expect(findQueryWarnings('a:b', { fields: [] })).toEqual([])
})
