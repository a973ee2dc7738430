import type { LintFinding, LintReport } from '@tripline/rule-tools'

/** GitHub's words for our levels. */
const annotationLevels: { readonly [level in LintFinding['level']]: 'error' | 'warning' | 'notice' } = {
  error: 'error', problem: 'warning', advice: 'notice', style: 'notice', optional: 'notice',
}

/** Prints findings as workflow commands, which GitHub shows beside the lines of a change. */
export function printLintAnnotations({ reports }: { readonly reports: readonly LintReport[] }): string {
  return reports.flatMap(({ path, findings }) => findings.map(({ level, code, line, column, message, hint }) => {
    const place = `file=${escapeProperty(path.replaceAll('\\', '/'))},line=${line},col=${column},title=${escapeProperty(code)}`
    return `::${annotationLevels[level]} ${place}::${escapeData(hint === undefined ? message : `${message}; ${hint}`)}\n`
  })).join('')
}

/** A line break would end the command, and `::` in a message could begin another one. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
