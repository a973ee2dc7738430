/** Characters with which spreadsheets begin a formula (OWASP, CSV injection). */
const formulaStart = /^[=+\-@\t\r]/

/**
 * Prints a text as a cell of CSV, quoted as RFC 4180 says. Text that would begin a formula gets an apostrophe before it:
 * a spreadsheet must not run what a sender of events wrote.
 */
export function printCsvCell(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
