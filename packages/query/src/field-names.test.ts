import { describe, expect, test } from 'vitest'
import { listFieldNames, toSigmaName } from './field-names.ts'

describe('the names of a field', () => {
  test.for<[field: string, names: string[]]>([
    ['Image', ['Image', 'process.executable', 'process.executable.path']],
    ['process.executable', ['process.executable', 'Image', 'process.executable.path']],
    ['process.executable.path', ['process.executable.path', 'Image', 'process.executable']],
    ['file.path', ['file.path', 'ImageLoaded', 'TargetFilename']],
    ['message', ['message', 'Message', 'body']],
    ['image', ['image']],
    ['event_id', ['event_id', 'EventID', 'event.code']],
    ['winlog.event_id', ['winlog.event_id', 'EventID', 'event.code']],
    ['EventID', ['EventID', 'event.code']],
    ['__proto__', ['__proto__']],
    ['constructor', ['constructor']],
    ['', ['']],
  ])('%j: %j', ([field, names]) => {
    expect(listFieldNames(field)).toEqual(names)
  })

  test.for<[word: string, some: string[]]>([
    ['host', ['host', 'Computer', 'Hostname', 'winlog.computer_name', 'host.name', 's-computername', 'id.orig_h']],
    ['user', ['user', 'User', 'TargetUserName', 'user.name', 'userIdentity.userName', 'acct']],
    ['process', ['Image', 'NewProcessName', 'SourceImage', 'exe', 'process.executable.path']],
    ['ip', ['SourceIp', 'DestinationIp', 'IpAddress', 'sourceIPAddress', 'c-ip', 'destination.address']],
  ])('the word %s stands for %j and more, each once', ([word, some]) => {
    const names = listFieldNames(word)
    expect(names).toEqual(expect.arrayContaining(some))
    expect(new Set(names).size).toBe(names.length)
  })

  test.for<[field: string, name: string]>([
    ['process.executable', 'Image'],
    ['process.executable.path', 'Image'],
    ['Image', 'Image'],
    ['file.path', 'file.path'],
    ['source.ip', 'source.ip'],
    ['anything', 'anything'],
    ['event_id', 'event_id'],
  ])('rules call %j %j', ([field, name]) => {
    expect(toSigmaName(field)).toBe(name)
  })
})
