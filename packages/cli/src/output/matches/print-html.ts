import { escapeMarkup } from '@tripline/common/escape-markup'
import { limits } from '../../limits.ts'
import { listTechniques, printTime } from './describe-match.ts'
import type { DescribedMatch } from './describe-match.ts'
import type { NameTotal, RuleTotal, TimeTotal } from './match-totals.ts'
import type { MatchReport } from './match-report.ts'

const style = `
:root{color-scheme:light dark;--line:#8884;--bar:#3b82f6}
body{font:14px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem}
h1{font-size:1.4rem;margin:0 0 .25rem}h2{font-size:1.05rem;margin:2rem 0 .5rem}
p{margin:.25rem 0}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-weight:600;white-space:nowrap}td.n,th.n{text-align:right;white-space:nowrap}td.t{white-space:nowrap}
code{font:12px/1.4 ui-monospace,monospace}
svg{width:100%;height:9rem}svg rect{fill:var(--bar)}svg text{font-size:10px;fill:currentColor}
.level{font-weight:600;white-space:nowrap}.critical{color:#c026d3}.high{color:#dc2626}.medium{color:#b45309}.low{color:#0e7490}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:0 2rem}
@media print{body{max-width:none;margin:0}}
`

/** Prints a run as one HTML file without scripts and without anything to load. */
export function printHtml({ matches, totals, createdAt }: MatchReport): string {
  const { matchCount, rules, hosts, users, firstAt, lastAt } = totals
  const shown = matches.slice(0, limits.htmlMatchesMax)
  const rest = matchCount - shown.length
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tripline: matches</title>
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${style}</style></head><body>
<h1>${count(matchCount, 'match', 'matches')} of ${count(rules.length, 'rule', 'rules')} on ${count(hosts.length, 'host', 'hosts')}</h1>
<p>${firstAt === undefined ? 'No event states a time.' : `${printTime(firstAt)} to ${printTime(lastAt)}`}</p>
<p>Made by tripline detect at ${printTime(createdAt)}. Times are UTC.</p>
<h2>Timeline</h2>
${printChart(totals.listTimes(96))}
<h2>Rules</h2>
<table>${printHead('Matches', 'Level', 'Rule', 'ATT&amp;CK', 'First', 'Last')}<tbody>
${rules.map(printRule).join('\n')}
</tbody></table>
<div class="columns">${printNames('Hosts', hosts)}${printNames('Users', users)}</div>
<h2>Matches</h2>
<table>${printHead('Time', 'Level', 'Rule', 'Host', 'User', 'Details', 'Line')}<tbody>
${shown.map(printRow).join('\n')}
</tbody></table>
${rest > 0 ? `<p>${count(rest, 'more match is', 'more matches are')} not listed; --output csv has all.</p>` : ''}
</body></html>
`
}

function printHead(...names: readonly string[]): string {
  return `<thead><tr>${names.map((name) => `<th>${name}</th>`).join('')}</tr></thead>`
}

function printRule({ rule, count: each, firstAt, lastAt }: RuleTotal): string {
  return `<tr><td>${each.toLocaleString('en')}</td>${printLevel(rule)}`
    + `<td>${escapeMarkup(rule.title)}<br><code>${escapeMarkup(rule.path)}</code></td>`
    + `<td>${escapeMarkup(listTechniques(rule).join(' '))}</td>`
    + `<td class="t">${printTime(firstAt)}</td><td class="t">${printTime(lastAt)}</td></tr>`
}

function printRow(match: DescribedMatch): string {
  const { at, rule, host, user, process, commandLine, conditions, place } = match
  const shown = commandLine === '' ? process : commandLine
  const line = place === undefined ? '' : `${place.path === undefined ? '' : `${place.path}:`}${place.line}`
  const details = `${shown === '' ? '' : `<code>${escapeMarkup(shown)}</code><br>`}${conditions.map(escapeMarkup).join('<br>')}`
  return `<tr><td class="t">${printTime(at)}</td>${printLevel(rule)}<td>${escapeMarkup(rule.title)}</td>`
    + `<td>${escapeMarkup(host)}</td><td>${escapeMarkup(user)}</td><td>${details}</td><td>${escapeMarkup(line)}</td></tr>`
}

function printLevel({ level }: DescribedMatch['rule']): string {
  return `<td class="level ${level ?? ''}">${level ?? ''}</td>`
}

/** Bars over time, as SVG; each has its time and number as a tooltip. */
function printChart(times: readonly TimeTotal[]): string {
  if (times.length === 0) return '<p>No event states a time.</p>'
  const most = Math.max(...times.map(({ count: each }) => each))
  const width = 960 / times.length
  const bars = times.map(({ startsAt, count: each }, i) => {
    const height = (each / most) * 100
    const title = `<title>${printTime(startsAt)}: ${each.toLocaleString('en')}</title>`
    return `<rect x="${(i * width).toFixed(1)}" y="${(110 - height).toFixed(1)}" width="${Math.max(1, width - 1).toFixed(1)}" `
      + `height="${height.toFixed(1)}">${title}</rect>`
  })
  return `<svg viewBox="0 0 960 130" role="img" aria-label="Matches over time">${bars.join('')}`
    + `<text x="0" y="125">${printTime(times[0]!.startsAt)}</text>`
    + `<text x="960" y="125" text-anchor="end">${printTime(times.at(-1)!.startsAt)}</text>`
    + `<text x="0" y="8">${most.toLocaleString('en')}</text></svg>`
}

function printNames(title: string, names: readonly NameTotal[]): string {
  if (names.length === 0) return ''
  const rows = names.slice(0, limits.totalsShownMax).map(({ name, count: each }) => {
    return `<tr><td>${escapeMarkup(name)}</td><td class="n">${each.toLocaleString('en')}</td></tr>`
  })
  return `<section><h2>${title}</h2><table><tbody>${rows.join('')}</tbody></table></section>`
}

function count(number: number, one: string, several: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : several}`
}
