import type { ReportLanguage } from '@tripline/model/report'

/** A report as data, from which every format is printed. */
export type Report = {
  readonly language: ReportLanguage
  readonly title: string
  /** Lines below the title: whose report it is, and of when. */
  readonly subtitle: readonly string[]
  /** The instant that it is about, in milliseconds: a file of the same results is the same, byte for byte. */
  readonly at: number
  /** What the tenant puts at the head of its reports. */
  readonly brand?: ReportBrand
  readonly sections: readonly ReportSection[]
}

/** A name, and a PNG with its size in pixels. */
export type ReportBrand = {
  readonly name: string
  readonly logo?: { readonly base64: string; readonly width: number; readonly height: number }
}

type ReportSection = { readonly title: string; readonly blocks: readonly ReportBlock[] }

/** A part of a section. Shares of a bar, and columns, are drawn in their order. */
export type ReportBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'figures'; readonly figures: readonly { readonly label: string; readonly value: string }[] }
  | { readonly kind: 'bar'; readonly label: string; readonly shares: readonly BarShare[] }
  | { readonly kind: 'columns'; readonly label: string; readonly columns: readonly { readonly label: string; readonly count: number }[] }
  | ReportTable

type BarShare = { readonly label: string; readonly count: number; readonly color: string }

export type ReportTable = {
  readonly kind: 'table'
  readonly columns: readonly { readonly title: string; readonly share: number }[]
  readonly rows: readonly (readonly string[])[]
}
