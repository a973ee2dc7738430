import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { readDeclaredLogsource } from './declared-logsource.ts'

const windowsProcess = { category: 'process_creation', product: 'windows' }

describe('reads', () => {
  test.for<[title: string, declared: unknown, logsources: unknown]>([
    ['one logsource', windowsProcess, [windowsProcess]],
    ['several', [windowsProcess, { service: 'sysmon' }], [windowsProcess, { service: 'sysmon' }]],
    ['texts in lower case', { product: 'Windows', service: 'SYSMON' }, [{ product: 'windows', service: 'sysmon' }]],
    ['texts only', { product: 'linux', category: 7, service: null }, [{ product: 'linux' }]],
    ['no empty value', { product: 'linux', category: '' }, [{ product: 'linux' }]],
    ['no other key', { product: 'linux', definition: 'needs a setting' }, [{ product: 'linux' }]],
    ['no value above the maximum length', { product: 'linux', service: 'x'.repeat(129) }, [{ product: 'linux' }]],
    ['no inherited key', Object.create(windowsProcess), undefined],
    ['the valid elements of a list', [null, 'linux', [], {}, { product: 'linux' }], [{ product: 'linux' }]],
    ['nothing of an empty object', {}, undefined],
    ['nothing of an empty list', [], undefined],
    ['nothing of a text', 'windows', undefined],
    ['nothing of null', null, undefined],
  ])('%s', ([, declared, logsources]) => {
    expect(readDeclaredLogsource({ _logsource: declared })?.logsources).toEqual(logsources)
  })

  test('nothing from an event without a declaration', () => {
    expect(readDeclaredLogsource({ product: 'windows' })).toBe(undefined)
  })

  test('at most the maximum number of logsources per event', () => {
    const declared = Array.from({ length: limits.declaredLogsourcesMax + 1 }, (_, i) => ({ service: `s${i}` }))
    expect(readDeclaredLogsource({ _logsource: declared })?.logsources).toHaveLength(limits.declaredLogsourcesMax)
  })
})

describe('interns', () => {
  test('equal declarations as one array', () => {
    const first = readDeclaredLogsource({ _logsource: { product: 'Windows', category: 'process_creation' } })
    const second = readDeclaredLogsource({ _logsource: [{ category: 'process_creation', product: 'windows' }] })
    expect(first?.logsources).toBe(second?.logsources)
  })

  test('declarations correctly while a flood clears the table', () => {
    for (let i = 0; i < 3 * limits.internedLogsourcesMax; i++) {
      const logsource = { service: `flood ${i}` }
      expect(readDeclaredLogsource({ _logsource: logsource })?.logsources).toEqual([logsource])
    }
    const [first, second] = [0, 1].map(() => readDeclaredLogsource({ _logsource: { service: 'calm' } })?.logsources)
    expect(first).toBe(second)
  })
})
