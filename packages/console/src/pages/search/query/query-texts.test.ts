import { expect, test } from 'vitest'
import { listQueryTexts } from './query-language.ts'
import { findQueryTexts } from './query-texts.ts'

const event = {
  Image: 'C:\\Tools\\Mimikatz.exe', User: 'ann', Event: { EventData: { TargetUserName: 'bob', Hashes: ['MD5=1', 'SHA1=mimikatz'] } }, EventID: 4688,
}

test.for<[query: string, found: { readonly [path: string]: string }]>([
  ['', {}], ['*', {}], ['mimikatz', { 'Image': 'mimikatz', 'Event.EventData.Hashes': 'mimikatz' }], ['NOT mimikatz', {}],
  ['Image:*mimikatz.exe', { Image: 'mimikatz.exe' }], ['mimikatz AND User:ann', { 'Image': 'mimikatz', 'Event.EventData.Hashes': 'mimikatz', 'User': 'ann' }],
  ['TargetUserName:bob', { 'Event.EventData.TargetUserName': 'bob' }], ['user:ann', { User: 'ann' }], ['EventID:4688', { EventID: '4688' }],
  ['Company:mimikatz', {}], ['EventID:>4', {}], ['mimikatz AND (', {}],
])('%s', ([query, found]) => {
  expect(Object.fromEntries(findQueryTexts(event, listQueryTexts(query)))).toEqual(found)
})
