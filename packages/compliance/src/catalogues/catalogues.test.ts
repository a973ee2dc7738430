import { describe, expect, test } from 'vitest'
import { controlMaps } from '../maps/control-maps.ts'
import { techniqueLinks } from '../maps/technique-links.ts'
import { catalogues, findCatalogue } from './catalogues.ts'

/** Expands `A.5.1-3` to the ids that it stands for. */
function expand(spec: string): string[] {
  return spec.split(' ').flatMap((one) => {
    const range = /^(.*[.-])?(\d+)-(\d+)$/.exec(one)
    if (range === null) return [one]
    const [, prefix = '', from = '', to = ''] = range
    const count = Number(to) - Number(from) + 1
    return Array.from({ length: count }, (_, index) => prefix + String(Number(from) + index).padStart(from.length, '0'))
  })
}

const articles = (numbers: string) => expand(numbers).map((number) => `Art. ${number}`)

const expected: readonly { token: string; total: number; ids: readonly string[]; assessable: readonly string[] }[] = [
  {
    token: 'ismsp', total: 101,
    ids: expand([
      '1.1.1-6 1.2.1-4 1.3.1-3 1.4.1-3 2.1.1-3 2.2.1-6 2.3.1-4 2.4.1-7 2.5.1-6 2.6.1-7 2.7.1-2 2.8.1-6 2.9.1-7 2.10.1-9',
      '2.11.1-5 2.12.1-2 3.1.1-7 3.2.1-5 3.3.1-4 3.4.1-2 3.5.1-3',
    ].join(' ')),
    assessable: expand('1.2.1 2.5.5 2.9.4-6 2.10.8-9 2.11.1-3 2.11.5'),
  },
  {
    token: 'iso27001', total: 93, ids: expand('A.5.1-37 A.6.1-8 A.7.1-14 A.8.1-34'),
    assessable: expand('A.5.7 A.5.9 A.5.24-28 A.6.8 A.8.2 A.8.5 A.8.7-8 A.8.15-17'),
  },
  {
    token: 'soc2', total: 61,
    ids: expand([
      'CC1.1-5 CC2.1-3 CC3.1-4 CC4.1-2 CC5.1-3 CC6.1-8 CC7.1-5 CC8.1 CC9.1-2 A1.1-3 C1.1-2 PI1.1-5',
      'P1.1 P2.1 P3.1-2 P4.1-3 P5.1-2 P6.1-7 P7.1 P8.1',
    ].join(' ')),
    assessable: expand('CC4.1 CC6.1 CC6.8 CC7.1-5'),
  },
  {
    token: 'pcidss', total: 63,
    ids: expand('1.1-5 2.1-3 3.1-7 4.1-2 5.1-4 6.1-5 7.1-3 8.1-6 9.1-5 10.1-7 11.1-6 12.1-10'),
    assessable: expand('5.3 6.3 10.2-7 11.3 11.5 12.10'),
  },
  {
    token: 'tisax', total: 80,
    ids: expand([
      '1.1.1 1.2.1-4 1.3.1-4 1.4.1 1.5.1-2 1.6.1-3 2.1.1-4 3.1.1-4 4.1.1-3 4.2.1 5.1.1-2 5.2.1-9 5.3.1-4 6.1.1-2 7.1.1-2',
      '8.1.1-8 8.2.1-7 8.3.1-2 8.4.1-3 8.5.1-2 9.1.1 9.2.1 9.3.1 9.4.1 9.5.1-3 9.6.1-2 9.7.1-2 9.8.1',
    ].join(' ')),
    assessable: expand('1.3.1 1.6.1-2 5.2.3-6'),
  },
  {
    token: 'cmmc', total: 110,
    ids: expand([
      '3.1.1-22 3.2.1-3 3.3.1-9 3.4.1-9 3.5.1-11 3.6.1-3 3.7.1-6 3.8.1-9 3.9.1-2 3.10.1-6 3.11.1-3 3.12.1-4 3.13.1-16',
      '3.14.1-7',
    ].join(' ')),
    assessable: expand('3.1.7 3.3.1-8 3.6.1-2 3.11.2-3 3.14.1-3 3.14.6-7'),
  },
  {
    token: 'gdpr', total: 39, ids: articles('5-7 9-22 24-39 44-49'), assessable: articles('12 15-17 20 32-34'),
  },
  {
    token: 'ccpa', total: 11,
    ids: expand('1798.100 1798.105 1798.106 1798.110 1798.115 1798.120 1798.121 1798.125 1798.130 1798.135 1798.150'),
    assessable: expand('1798.100 1798.105 1798.106 1798.110 1798.130 1798.150'),
  },
  {
    token: 'nistcsf', total: 106,
    ids: expand([
      'GV.OC-01-05 GV.RM-01-07 GV.RR-01-04 GV.PO-01-02 GV.OV-01-03 GV.SC-01-10 ID.AM-01-05 ID.AM-07-08 ID.RA-01-10 ID.IM-01-04',
      'PR.AA-01-06 PR.AT-01-02 PR.DS-01-02 PR.DS-10-11 PR.PS-01-06 PR.IR-01-04 DE.CM-01-03 DE.CM-06 DE.CM-09 DE.AE-02-04',
      'DE.AE-06-08 RS.MA-01-05 RS.AN-03 RS.AN-06-08 RS.CO-02-03 RS.MI-01-02 RC.RP-01-06 RC.CO-03-04',
    ].join(' ')),
    assessable: expand([
      'DE.CM-01 DE.CM-03 DE.CM-06 DE.CM-09 DE.AE-02-04 DE.AE-06-08 RS.MA-01-04 RS.AN-03 RS.AN-06-08 RS.CO-02-03 RS.MI-01-02',
      'ID.AM-01-02 ID.RA-01-02 ID.RA-08 PR.PS-04',
    ].join(' ')),
  },
]

describe('catalogues', () => {
  test('are those of nine frameworks', () => {
    expect(catalogues.map(({ token }) => token)).toEqual(expected.map(({ token }) => token))
  })

  test.for(expected)('$token has $total controls with their ids, in order', ({ token, total, ids }) => {
    const catalogue = findCatalogue(token)
    expect(catalogue?.controls.map(({ id }) => id)).toEqual(ids)
    expect(ids).toHaveLength(total)
  })

  test.for(expected)('$token: signals assess just the controls that the platform can speak of', ({ token, assessable }) => {
    expect(Object.keys(controlMaps[token] ?? {}).toSorted()).toEqual([...assessable].toSorted())
  })

  test('every title and category is there in English and Korean', () => {
    const texts = catalogues.flatMap(({ controls }) => controls.flatMap(({ title, category }) => [title, category]))
    for (const { en, ko } of texts) {
      expect(en).toMatch(/^[A-Z0-9][ -~]+$/)
      expect(ko).toMatch(/\p{Script=Hangul}/u)
    }
  })
})

test('links of techniques are with subcategories of the CSF, and there are as many as in their source', () => {
  const ids = new Set(findCatalogue('nistcsf')?.controls.map(({ id }) => id))
  expect([...techniqueLinks.keys()].filter((id) => !ids.has(id))).toEqual([])
  const links = [...techniqueLinks.values()].flatMap((techniques) => [...techniques])
  expect([techniqueLinks.size, links.length, new Set(links).size]).toEqual([24, 1_513, 430])
  expect(links.filter((id) => !/^T\d{4}(\.\d{3})?$/.test(id))).toEqual([])
  expect([...techniqueLinks.get('DE.CM-01') ?? []].filter((id) => id.startsWith('T1059'))).toEqual(['T1059', 'T1059.005', 'T1059.007'])
})

test.for([
  ['iso27001', 'iso27001'], ['ISO-27001', 'iso27001'], ['ISO 27001', 'iso27001'], ['iso_27.001', 'iso27001'], ['ISMS-P', 'ismsp'],
  ['PCI-DSS', 'pcidss'], ['NIST CSF', 'nistcsf'], ['hipaa', undefined], ['', undefined], ['iso27001/x', undefined],
] as const)('the token %s finds %s', ([token, found]) => {
  expect(findCatalogue(token)?.token).toBe(found)
})
