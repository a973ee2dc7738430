import { printCsvCell } from '@tripline/common/csv-cell'
import { escapeMarkup } from '@tripline/common/escape-markup'
import { fitLogo } from './fit-logo.ts'
import type { Report, ReportBlock, ReportBrand } from './report.ts'

/** Prints a report as JSON: its definition, with the instant in words and without the logo. */
export function printReportJson({ brand, ...report }: Report): string {
  const head = { ...report, at: new Date(report.at).toISOString() }
  return `${JSON.stringify(brand === undefined ? head : { ...head, brand: { name: brand.name } }, undefined, 2)}\n`
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
export function printReportHtml({ language, title, subtitle, brand, sections }: Report): string {
  const body = sections.map((section) =>
    `<section><h2>${escapeMarkup(section.title)}</h2>${section.blocks.map(printBlock).join('')}</section>`)
  const head = `<meta charset="utf-8"><title>${escapeMarkup(title)}</title>`
  const lines = subtitle.map((line) => `<p>${escapeMarkup(line)}</p>`).join('')
  const page = `${brand === undefined ? '' : printBrand(brand)}<h1>${escapeMarkup(title)}</h1>${lines}${body.join('')}`
  return `<!doctype html>\n<html lang="${language}"><head>${head}</head><body>${page}</body></html>\n`
}

function printBrand({ name, logo }: ReportBrand): string {
  const text = escapeMarkup(name)
  if (logo === undefined) return `<p>${text}</p>`
  const { width, height } = fitLogo(logo)
  return `<p><img src="data:image/png;base64,${logo.base64}" alt="${text}" width="${width}" height="${height}"></p><p>${text}</p>`
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
