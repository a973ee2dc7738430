import { describe, expect, test } from 'vitest'
import { applyMapping } from './apply-mapping.ts'
import { MappingError, parseMapping } from './parse-mapping.ts'

const readAt = Date.UTC(2026, 10, 23)

const map = (yaml: string, event: { readonly [field: string]: unknown }) => applyMapping(parseMapping(yaml), event, readAt)

const firewall = `name: acme
mappings:
  - when: { vendor: [acme, 'acm?x'], event.kind: 'fw*deny' }
    logsource: { product: acme, category: firewall }
    rename: { event.src: src_ip, dst: dst_ip, gone: nothing }
    constants: { action: deny, vendor: other }
    timestamp: { field: event.ts, format: epoch_ms }
    types: { event.port: integer, size: number, ok: boolean, tags: list, id: text, big: integer }
  - when: { raw: true }
    logsource: { product: raw }
  - constants: { rest: 1 }
`

describe('a mapping', () => {
  test('selects a source, renames, converts, dates and adds', () => {
    const event = {
      vendor: 'ACME', dst: '10.0.0.2', size: '1.5', ok: 'yes', tags: 'a, b', id: 7, big: '9007199254740993',
      event: { kind: 'fw-x-deny', src: '10.0.0.1', ts: 1_700_000_000_000, port: '443', kept: 1 },
    }
    expect(map(firewall, event)).toEqual({
      entry: 0,
      event: {
        vendor: 'ACME', size: 1.5, ok: true, tags: ['a', 'b'], id: '7', big: '9007199254740993',
        event: { kind: 'fw-x-deny', ts: 1_700_000_000_000, port: 443, kept: 1 },
        '@timestamp': '2023-11-14T22:13:20.000Z', src_ip: '10.0.0.1', dst_ip: '10.0.0.2', action: 'deny',
        _logsource: { product: 'acme', category: 'firewall' },
      },
    })
    expect(event.event.src).toBe('10.0.0.1')
  })

  test.for<[title: string, event: { readonly [field: string]: unknown }, entry: number]>([
    ['the second entry where a field is present', { raw: 0 }, 1],
    ['the last entry where none is meant', { vendor: 'acme', event: { kind: 'fw' } }, 2],
    ['no overlap of the ends of a pattern', { vendor: 'acme', event: { kind: 'fwdeny' } }, 0],
  ])('takes %s', ([, event, entry]) => {
    expect(map(firewall, event).entry).toBe(entry)
  })

  test('leaves an event that no entry selects, and a log source that it declares', () => {
    const yaml = 'mappings: [{ when: { a: true }, logsource: { product: x } }]'
    const other = { b: 1 }
    expect(map(yaml, other)).toEqual({ event: other, entry: undefined })
    expect(map(yaml, { a: 1, _logsource: { product: 'y' } }).event).toEqual({ a: 1, _logsource: { product: 'y' } })
  })

  test.for<[value: unknown, format: string, time: string | undefined]>([
    [1_700_000_000, 'epoch_s', '2023-11-14T22:13:20.000Z'],
    ['1700000000000000', 'epoch_us', '2023-11-14T22:13:20.000Z'],
    ['1700000000000000000', 'epoch_ns', '2023-11-14T22:13:20.000Z'],
    ['Oct 11 22:14:15', 'syslog', '2026-10-11T22:14:15.000Z'],
    ['2026-05-06 07:08:09', 'auto', '2026-05-06T07:08:09.000Z'],
    ['never', 'auto', undefined],
    ['never', 'epoch_s', undefined],
    [{}, 'auto', undefined],
  ])('reads the time %j as %s', ([value, format, time]) => {
    expect(map(`mappings: [{ timestamp: { field: t, format: ${format} } }]`, { t: value }).event['@timestamp']).toBe(time)
  })

  test.for<[yaml: string, message: string]>([
    ['a: [', 'the mapping is no YAML'],
    ['mappings:\n  - when: { a.b: 1 }\n    types: { x: text, c.d: int }', "line 3, column 23: 'mappings[0].types.c.d' is 'int'"],
    ['mappings:\n  - when: {}\n    renames: {}', "line 3, column 5: mappings[0] has the unknown key 'renames'"],
    ['mappings: [{}]\n---\na: 1', 'line 3, column 1: a mapping is one document'],
    ['[]', "a mapping is one map with a list 'mappings'"],
    ['mappings: []', "'mappings' is no list of entries"],
    ['mapings: []', "the mapping has the unknown key 'mapings'; it takes name, mappings"],
    ['mappings: [{ renames: {} }]', "mappings[0] has the unknown key 'renames'"],
    ['mappings: [{ rename: { a: 1 } }]', "'mappings[0].rename.a' is no text"],
    ['mappings: [{ logsource: { host: a } }]', "mappings[0].logsource has the unknown key 'host'"],
    ['mappings: [{ types: { a: int } }]', "'mappings[0].types.a' is 'int'; it takes one of text, integer, number, boolean, list"],
    ['mappings: [{ timestamp: { field: a, format: unix } }]', "'mappings[0].timestamp.format' is 'unix'"],
    ['mappings: [{ when: { a: [] } }]', "'mappings[0].when.a' is an empty list"],
  ])('refuses %s', ([yaml, message]) => {
    expect(() => parseMapping(yaml)).toThrow(MappingError)
    expect(() => parseMapping(yaml)).toThrow(message)
  })
})
