import { riskLevels } from '@tripline/model/enrichment/asset'
import type { ReportLanguage } from '@tripline/model/report'
import { printCount, printListCount, printLocal, severityColors, tableOrNothing } from './report-blocks.ts'
import type { AssetFigures } from './read-figures.ts'
import { getReportWords } from './report-words.ts'
import type { Report } from './report.ts'

/** Makes the report about assets and their exposure. */
export function createAssetsReport(
  figures: AssetFigures, { language, tenant }: { readonly language: ReportLanguage; readonly tenant: string },
): Report {
  const word = getReportWords(language)
  const { at, timezone, worst } = figures
  const count = (value: number): string => printCount(value, language)
  const assetRows = figures.riskiest.map((asset) => [
    asset.hostname === '' ? asset.ipAddresses[0] ?? asset.id : asset.hostname, word(asset.criticality), count(asset.riskScore),
    `${count(asset.vulnerabilities.critical)} / ${count(asset.vulnerabilities.high)}`, asset.owner, printLocal(asset.lastSeenAt, timezone),
  ])
  const findingRows = worst.map(({ title, severity, asset, dueAt }) => [title, word(severity), asset, printLocal(dueAt, timezone)])
  return {
    language, title: word('assets'), at,
    subtitle: [`${word('tenant')}: ${tenant}`, `${printLocal(at, timezone)} (${timezone})`],
    sections: [
      { title: word('inventory'), blocks: [
        { kind: 'figures', figures: [
          { label: word('total'), value: count(figures.total) }, { label: word('scanned'), value: count(figures.scannedCount) },
          { label: word('owned'), value: count(figures.ownedCount) },
          { label: word('overdue'), value: printListCount(figures.overdueCount, language) },
        ] },
        { kind: 'bar', label: word('byRisk'), shares: riskLevels.toReversed().map((level) => ({
          label: word(level), count: figures.byRisk[level], color: severityColors[level],
        })) },
      ] },
      { title: word('riskiest'), blocks: [tableOrNothing([
        [word('asset'), 26], [word('criticality'), 13], [word('risk'), 11], [word('vulnerabilities'), 16], [word('owner'), 16],
        [word('lastSeen'), 18],
      ], assetRows, word)] },
      { title: word('open'), blocks: [tableOrNothing(
        [[word('finding'), 44], [word('severity'), 14], [word('asset'), 22], [word('due'), 20]], findingRows, word,
      )] },
    ],
  }
}
