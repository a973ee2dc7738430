import { printCsvCell } from '@tripline/common/csv-cell'
import { escapeMarkup } from '@tripline/common/escape-markup'
import type { Report, ReportBlock } from './report.ts'

/** Prints a report as JSON: its definition, with the instant in words. */
export function printReportJson(report: Report): string {
  return `${JSON.stringify({ ...report, at: new Date(report.at).toISOString() }, undefined, 2)}\n`
}

/** Prints the tables of a report as CSV (RFC 4180), each below the title of its section. */
export function printReportCsv({ sections }: Report): string {
  const lines = sections.flatMap(({ title, blocks }) => blocks.flatMap((block) => {
    const rows = toRows(block)
    return rows.length === 0 ? [] : [[title], ...rows, []]
  }))
  return lines.map((cells) => `${cells.map(printCsvCell).join(',')}\r\n`).join('')
}

/** Prints a report as a page without scripts, for a preview. */
export function printReportHtml({ language, title, subtitle, sections }: Report): string {
  const body = sections.map((section) =>
    `<section><h2>${escapeMarkup(section.title)}</h2>${section.blocks.map(printBlock).join('')}</section>`)
  const head = `<meta charset="utf-8"><title>${escapeMarkup(title)}</title>`
  const lines = subtitle.map((line) => `<p>${escapeMarkup(line)}</p>`).join('')
  const page = `<h1>${escapeMarkup(title)}</h1>${lines}${body.join('')}`
  return `<!doctype html>\n<html lang="${language}"><head>${head}</head><body>${page}</body></html>\n`
}

function toRows(block: ReportBlock): readonly (readonly string[])[] {
  switch (block.kind) {
    case 'text': return []
    case 'figures': return block.figures.map(({ label, value }) => [label, value])
    case 'bar': return block.shares.map(({ label, count }) => [label, String(count)])
    case 'columns': return block.columns.map(({ label, count }) => [label, String(count)])
    case 'table': return [block.columns.map(({ title }) => title), ...block.rows]
  }
}

function printBlock(block: ReportBlock): string {
  if (block.kind === 'text') return `<p>${escapeMarkup(block.text)}</p>`
  const rows = toRows(block).map((cells, row) => {
    const tag = block.kind === 'table' && row === 0 ? 'th' : 'td'
    return `<tr>${cells.map((cell) => `<${tag}>${escapeMarkup(cell)}</${tag}>`).join('')}</tr>`
  })
  return `<table>${rows.join('')}</table>`
}
