import type { ReportBrand } from './report.ts'

/** The room of a logo at the head of a page, in points of a PDF and pixels of a page. */
const room = { width: 144, height: 36 }

/** The size that a logo is shown in: its own shape in the room that it has, never larger than its pixels. */
export function fitLogo({ width, height }: NonNullable<ReportBrand['logo']>): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, room.width / width, room.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
