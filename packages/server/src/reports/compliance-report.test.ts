import { catalogues } from '@tripline/compliance/catalogues/catalogues'
import type { ControlResult } from '@tripline/compliance/assess'
import { countControls } from '@tripline/compliance/count-controls'
import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createPng } from '../../test/create-png.ts'
import { createComplianceReport } from './compliance-report.ts'
import type { AssessedFramework } from './compliance-report.ts'
import { printReportPdf } from './print-pdf.ts'
import { printListCount } from './report-blocks.ts'
import { printReportCsv, printReportHtml, printReportJson } from './print-report.ts'

const at = Date.UTC(2026, 10, 23, 9, 30)
const sha256 = 'ab'.repeat(32)

/** A framework with the first controls measured or attested, and nothing known of the others. */
function newFramework(token: string, known: readonly Partial<ControlResult>[] = []): AssessedFramework {
  const catalogue = catalogues.find((one) => one.token === token)!
  const results = catalogue.controls.map(({ id: control }, i): ControlResult => ({
    control, status: 'not_assessed', method: 'none', isAssessable: false, signals: [], lostSince: undefined, ...known[i],
  }))
  return { catalogue, assessment: { framework: token, at, controls: results, sha256, jobId: 'job-1' }, coverage: countControls(results) }
}

const measured: readonly Partial<ControlResult>[] = [
  {
    status: 'partial', method: 'automatic', isAssessable: true,
    signals: [{
      signal: 'S1', value: 91.5, target: 95, status: 'partial', absence: undefined, reason: undefined,
      evidence: [{ kind: 'assets', ref: '/v1/assets', at, sha256 }],
    }, { signal: 'S2', value: undefined, target: 4, status: 'no_data', absence: 'empty', reason: 'no <events>', evidence: [] }],
  },
  {
    status: 'compliant', method: 'manual',
    attestation: { status: 'compliant', by: '=ann@example.org', at, expiresAt: at + 1, proof: { url: 'https://example.org/p' } },
  },
]
const report = (token: string, language: 'en' | 'ko', known = measured) =>
  createComplianceReport(newFramework(token, known), { language, tenant: 'acme' })

describe('a compliance report', () => {
  test('states the score with its share, every control, and all evidence with time and hash', () => {
    const { title, at: instant, sections: [summary, controls, evidence] } = report('iso27001', 'en')
    expect([title, instant]).toEqual(['Compliance report: ISO/IEC 27001 2022', at])
    expect(summary?.blocks).toEqual(expect.arrayContaining([
      { kind: 'figures', figures: [{ label: 'Score', value: '75 %' }, { label: 'Assessed share', value: '2.2 %' }, { label: 'Controls', value: '93' }] },
      expect.objectContaining({ kind: 'text', text: expect.stringContaining('Automated evidence only') as string }),
      { kind: 'text', text: `SHA-256 of the results: ${sha256}` },
    ]))
    const [table] = controls?.blocks ?? []
    expect(table?.kind === 'table' ? table.rows.length : 0).toBe(93)
    const [proofs] = evidence?.blocks ?? []
    expect(proofs?.kind === 'table' ? proofs.rows : []).toEqual([
      ['A.5.1', expect.stringMatching(/^S1 /), '91.5 / 95: Partial', '/v1/assets', '2026-11-23 09:30 UTC', sha256],
      ['A.5.1', expect.stringMatching(/^S2 /), '- / 4: no data', 'no <events>', '', ''],
      ['A.5.2', 'manual', 'Compliant', '=ann@example.org: https://example.org/p', '2026-11-23 09:30 UTC', ''],
    ])
  })

  test.for(catalogues.map(({ token, total }) => [token, total] as const))('the counts of %s sum to its total', ([token, total]) => {
    for (const language of ['en', 'ko'] as const) {
      const bar = report(token, language).sections[0]?.blocks.find((block) => block.kind === 'bar')
      expect(bar?.shares.reduce((sum, { count }) => sum + count, 0)).toBe(total)
    }
  })

  test('has the reasons of signals in its language, also beside evidence', () => {
    const reason = { code: 'overdue_findings', values: { count: 3 } } as const
    const known = [{ ...measured[0]!, signals: measured[0]!.signals!.map((signal) => ({ ...signal, reason })) }]
    const texts = (['en', 'ko'] as const).map((language) => {
      const [table] = report('iso27001', language, known).sections[2]?.blocks ?? []
      return table?.kind === 'table' ? table.rows.map((row) => [row[2], row[3]]) : []
    })
    expect(texts).toEqual([
      [['91.5 / 95: Partial (3 critical findings are overdue)', '/v1/assets'], ['- / 4: no data', '3 critical findings are overdue']],
      [['91.5 / 95: 부분 준수 (기한이 지난 심각 취약점 3건)', '/v1/assets'], ['- / 4: 데이터 없음', '기한이 지난 심각 취약점 3건']],
    ])
  })

  test('is printed as JSON, as CSV without formulas, and as a page without markup of others', () => {
    const made = report('iso27001', 'en')
    expect(JSON.parse(printReportJson(made))).toMatchObject({ title: made.title, at: '2026-11-23T09:30:00.000Z' })
    const csv = printReportCsv(made)
    expect(csv).toContain("A.5.2,manual,Compliant,'=ann@example.org: https://example.org/p,2026-11-23 09:30 UTC,\r\n")
    const html = printReportHtml(made)
    expect(html).toContain('<td>no &lt;events&gt;</td>')
    expect(html).not.toContain('<events>')
  })

  test('has its name and logo at the head of the page, and its name as data', () => {
    const logo = { base64: 'aGk=', width: 1_200, height: 200 }
    const html = printReportHtml({ ...report('gdpr', 'en'), brand: { name: '<Acme> "SOC"', logo } })
    expect(html).toContain('<body><p><img src="data:image/png;base64,aGk=" alt="&lt;Acme&gt; &quot;SOC&quot;" width="144" height="24"></p><p>&lt;Acme&gt;')
    const { brand } = JSON.parse(printReportJson({ ...report('gdpr', 'en'), brand: { name: 'Acme', logo } })) as { brand: unknown }
    expect(brand).toEqual({ name: 'Acme' })
  })
})

describe('as PDF', () => {
  test.for(['en', 'ko'] as const)('in %s it is tagged, has bookmarks and its font, and is the same each time', async (language) => {
    const bytes = await printReportPdf(report('ismsp', language))
    const text = bytes.toString('latin1')
    expect(text.slice(0, 8)).toBe('%PDF-1.7')
    for (const part of ['/StructTreeRoot', '/Marked true', `/Lang (${language})`, '/Outlines', '/FontFile2', '/DisplayDocTitle true', '/Scope /Column', '<pdfuaid:part>1</pdfuaid:part>']) expect(text).toContain(part)
    expect(await printReportPdf(report('ismsp', language))).toEqual(bytes)
    expect(bytes.length).toBeLessThan(400_000)
    expect(countRectangles(bytes)).toBeGreaterThanOrEqual(3)
  })

  test.for([2, 6] as const)('with a logo of color type %i at its head it is the same each time, and text stands for the logo', async (colorType) => {
    const png = createPng({ width: 600, height: 100, colorType })
    const logo = { base64: png.toString('base64'), width: 600, height: 100 }
    const branded = { ...report('gdpr', 'en'), brand: { name: 'Acme SOC', logo } }
    const bytes = await printReportPdf(branded)
    expect(await printReportPdf(branded)).toEqual(bytes)
    const text = bytes.toString('latin1')
    expect(text).toMatch(/\/Subtype \/Image\n[^]*\/Width 600\n\/Height 100/)
    expect(text).toContain('/Alt (Acme SOC)')
    expect((await printReportPdf(report('gdpr', 'en'))).toString('latin1')).not.toContain('/Subtype /Image')
  })

  test('with nothing assessed it says so, and claims nothing', async () => {
    const empty = report('gdpr', 'en', [])
    expect(empty.sections[0]?.blocks[0]).toMatchObject({ figures: [{ value: '0 %' }, { value: '0 %' }, { value: '39' }] })
    expect((await printReportPdf(empty)).length).toBeGreaterThan(10_000)
  })
})

test.for([[9_999, '9,999'], [10_000, '10,000+'], [12_345, '10,000+']] as const)('a list that counted %i is printed as %s', ([count, text]) => {
  expect(printListCount(count, 'en')).toBe(text)
})

/** The rectangles that its pages draw: the bar is made of vectors. */
function countRectangles(pdf: Buffer): number {
  let count = 0
  for (let at = pdf.indexOf('stream\n'); at !== -1; at = pdf.indexOf('stream\n', at + 1)) {
    if (pdf.subarray(at - 3, at).toString() === 'end') continue
    try {
      const content = inflateSync(pdf.subarray(at + 7, pdf.indexOf('endstream', at))).toString('latin1')
      count += content.match(/\sre\s/g)?.length ?? 0
    } catch {
      // A stream that is not compressed, such as an image.
    }
  }
  return count
}
