import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import { fitLogo } from './fit-logo.ts'
import type { Report, ReportBlock, ReportBrand, ReportTable } from './report.ts'

const fonts = { text: 'IBMPlexSansKR_400Regular.ttf', bold: 'IBMPlexSansKR_700Bold.ttf' }
const margin = 48
const padding = 4
const [small, normal, large, huge] = [8, 10, 14, 20]
const [ink, grey, line, blue] = ['#1f2328', '#59636e', '#d1d9e0', '#0969da']

type Document = PDFKit.PDFDocument
type Structure = PDFKit.PDFStructureElement

/** That the file follows PDF/UA-1. The library's own option for it also lists the glyphs of each font, and that list is not right. */
const identification = '<rdf:Description xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" rdf:about="">'
  + '<pdfuaid:part>1</pdfuaid:part></rdf:Description>'
/** What a head of a table is for; the declarations of the library do not know it. */
const ofColumn: object = { scope: 'Column' }

/**
 * Prints a report as a tagged PDF (PDF/UA-1) with bookmarks. Its font has Latin and Hangul, and only the glyphs in use are
 * embedded. The same report gives the same bytes: dates in the file are those of the report.
 */
export async function printReportPdf(report: Report): Promise<Buffer> {
  const { title, subtitle, language, at, brand, sections } = report
  const date = new Date(at)
  const doc = new PDFDocument({
    size: 'A4', margin, pdfVersion: '1.7', tagged: true, lang: language, displayTitle: true, bufferPages: true,
    info: { Title: title, Producer: 'Tripline', Creator: 'Tripline', CreationDate: date, ModDate: date },
  })
  doc.appendXML(identification)
  const chunks: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  const require = createRequire(import.meta.url)
  for (const [name, path] of Object.entries(fonts)) doc.registerFont(name, require.resolve(`@expo-google-fonts/ibm-plex-sans-kr/${path}`))
  const root = doc.struct('Document')
  doc.addStructure(root)
  const logoWidth = brand === undefined ? 0 : addBrand(doc, root, brand)
  addText(doc, root, 'H1', title, { font: 'bold', size: huge, right: logoWidth })
  for (const text of subtitle) addText(doc, root, 'P', text, { color: grey })
  for (const section of sections) {
    ensureSpace(doc, 80)
    doc.moveDown(1)
    doc.outline.addItem(section.title)
    addText(doc, root, 'H2', section.title, { font: 'bold', size: large })
    doc.moveDown(0.5)
    for (const block of section.blocks) addBlock(doc, root, block)
  }
  root.end()
  addPageNumbers(doc, brand === undefined ? title : `${brand.name}  ${title}`)
  doc.end()
  await ended
  return Buffer.concat(chunks)
}

const figureStyle: TextStyle = { font: 'bold', size: large }

/** A text keeps `right` points free at its right. */
type TextStyle = { readonly font?: keyof typeof fonts; readonly size?: number; readonly color?: string; readonly right?: number }

function addText(
  doc: Document, parent: Structure, tag: string, text: string, { font = 'text', size = normal, color = ink, right = 0 }: TextStyle = {},
): void {
  doc.font(font).fontSize(size)
  const width = getWidth(doc) - right
  ensureSpace(doc, doc.heightOfString(text, { width }))
  parent.add(doc.struct(tag, {}, () => {
    doc.font(font).fontSize(size).fillColor(color).text(text, margin, doc.y, { width })
  }))
}

/** The name above the title, the logo in the corner beside it; returns the width that the logo takes. */
function addBrand(doc: Document, root: Structure, { name, logo }: ReportBrand): number {
  if (logo === undefined) {
    addText(doc, root, 'P', name, { color: grey })
    return 0
  }
  const { width, height } = fitLogo(logo)
  root.add(doc.struct('Figure', { alt: name }, () => {
    doc.image(Buffer.from(logo.base64, 'base64'), doc.page.width - margin - width, margin, { width, height })
  }))
  doc.y = margin
  const right = width + 3 * padding
  addText(doc, root, 'P', name, { color: grey, right })
  return right
}

function addBlock(doc: Document, root: Structure, block: ReportBlock): void {
  switch (block.kind) {
    case 'text': addText(doc, root, 'P', block.text); doc.moveDown(0.4); break
    case 'figures': for (const { label, value } of block.figures) addText(doc, root, 'P', `${label}: ${value}`, figureStyle); break
    case 'bar': addBar(doc, root, block); break
    case 'columns': addColumns(doc, root, block); break
    case 'table': addTable(doc, root, block); break
  }
}

/** A bar of shares as vectors, with its numbers as text: what it shows can be read without seeing it. */
function addBar(doc: Document, root: Structure, { label, shares }: Extract<ReportBlock, { kind: 'bar' }>): void {
  const height = 16
  ensureSpace(doc, 6 * height)
  doc.moveDown(0.5)
  addText(doc, root, 'P', label, { color: grey, size: small })
  const total = shares.reduce((sum, { count }) => sum + count, 0)
  const alt = `${label}: ${shares.map((share) => `${share.label} ${share.count}`).join(', ')}`
  const top = doc.y
  root.add(doc.struct('Figure', { alt }, () => {
    let x = margin
    for (const { count, color } of shares) {
      const width = total === 0 ? 0 : (count / total) * getWidth(doc)
      if (width > 0) doc.rect(x, top, width, height).fill(color)
      x += width
    }
    if (total === 0) doc.rect(margin, top, getWidth(doc), height).lineWidth(0.5).stroke(line)
  }))
  doc.y = top + height + padding
  for (const share of shares) addText(doc, root, 'P', `${share.label}: ${share.count}`, { color: share.color })
  doc.moveDown(0.5)
}

/** Columns as vectors, below them the first and the last label; the greatest count stands above. */
function addColumns(doc: Document, root: Structure, { label, columns }: Extract<ReportBlock, { kind: 'columns' }>): void {
  const height = 60
  ensureSpace(doc, height + 5 * small)
  const greatest = columns.reduce((max, { count }) => Math.max(max, count), 0)
  addText(doc, root, 'P', `${label} (0–${greatest})`, { color: grey, size: small })
  const [bottom, width] = [doc.y + height, getWidth(doc) / Math.max(1, columns.length)]
  const alt = `${label}: ${columns.map((column) => `${column.label} ${column.count}`).join(', ')}`
  root.add(doc.struct('Figure', { alt }, () => {
    for (const [i, { count }] of columns.entries()) {
      const tall = greatest === 0 ? 0 : (count / greatest) * height
      if (tall > 0) doc.rect(margin + i * width, bottom - tall, Math.max(1, width * 0.8), tall).fill(blue)
    }
    doc.moveTo(margin, bottom).lineTo(margin + getWidth(doc), bottom).lineWidth(0.5).stroke(line)
  }))
  doc.y = bottom + padding
  const [first, last] = [columns[0], columns.at(-1)]
  if (first !== undefined && last !== undefined) addText(doc, root, 'P', `${first.label} – ${last.label}`, { color: grey, size: small })
  doc.moveDown(0.5)
}

function addTable(doc: Document, root: Structure, { columns, rows }: ReportTable): void {
  const sum = columns.reduce((total, { share }) => total + share, 0)
  const widths = columns.map(({ share }) => (share / sum) * getWidth(doc))
  const titles = columns.map(({ title }) => title)
  const table = doc.struct('Table')
  root.add(table)
  // A head never stands at the foot of a page without a row below it.
  ensureSpace(doc, measureRow(doc, titles, widths) + measureRow(doc, rows[0] ?? [], widths))
  addRow(doc, table, { cells: titles, widths, isHead: true })
  for (const cells of rows) {
    const height = measureRow(doc, cells, widths)
    if (doc.y + height > getBottom(doc)) {
      doc.addPage()
      addRow(doc, table, { cells: titles, widths, isHead: true })
    }
    addRow(doc, table, { cells, widths, isHead: false })
  }
  table.end()
  doc.moveDown(0.5)
}

type Row = { readonly cells: readonly string[]; readonly widths: readonly number[]; readonly isHead: boolean }

function addRow(doc: Document, table: Structure, { cells, widths, isHead }: Row): void {
  const height = measureRow(doc, cells, widths)
  const top = doc.y
  const row = doc.struct('TR')
  table.add(row)
  let x = margin
  for (const [i, width] of widths.entries()) {
    const left = x
    row.add(doc.struct(isHead ? 'TH' : 'TD', isHead ? ofColumn : {}, () => {
      doc.font(isHead ? 'bold' : 'text').fontSize(small).fillColor(ink)
        .text(cells[i] ?? '', left + padding / 2, top + padding / 2, { width: width - padding, height: height + small })
    }))
    x += width
  }
  row.end()
  doc.markContent('Artifact', { type: 'Layout' })
  doc.moveTo(margin, top + height).lineTo(margin + getWidth(doc), top + height).lineWidth(0.5).stroke(line)
  doc.endMarkedContent()
  doc.x = margin
  doc.y = top + height
}

function measureRow(doc: Document, cells: readonly string[], widths: readonly number[]): number {
  doc.font('bold').fontSize(small)
  return Math.max(...widths.map((width, i) => doc.heightOfString(cells[i] ?? '', { width: width - padding }))) + padding
}

function addPageNumbers(doc: Document, title: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let i = start; i < start + count; i++) {
    doc.switchToPage(i)
    doc.markContent('Artifact', { type: 'Pagination' })
    // Below the margin, where text would otherwise begin a new page.
    const { bottom } = doc.page.margins
    doc.page.margins.bottom = 0
    const style = { width: getWidth(doc), align: 'center', lineBreak: false } as const
    doc.font('text').fontSize(small).fillColor(grey)
      .text(`${title}  ${i + 1} / ${count}`, margin, doc.page.height - margin / 2 - small, style)
    doc.page.margins.bottom = bottom
    doc.endMarkedContent()
  }
}

function ensureSpace(doc: Document, height: number): void {
  if (doc.y + height > getBottom(doc)) doc.addPage()
}

function getBottom(doc: Document): number {
  return doc.page.height - margin
}

function getWidth(doc: Document): number {
  return doc.page.width - 2 * margin
}
