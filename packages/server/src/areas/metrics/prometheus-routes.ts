import type { Route } from '../../http/route.ts'
import { listPrometheusFamilies } from './metrics.ts'
import type { MetricFamily, MetricsDeps } from './metrics.ts'

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Route that serves the metrics of all tenants in the Prometheus text format. */
export function prometheusRoutes(deps: MetricsDeps): Route[] {
  return [
    {
      method: 'GET', path: '/metrics', access: 'scraper',
      summary: 'Returns all metrics in the Prometheus text format',
      responseType: 'text/plain', responses: { 200: null },
      handle: async (c) => c.text(printFamilies(await listPrometheusFamilies(deps)), 200, { 'content-type': contentType }),
    },
  ]
}

/** Prints metric families in the text format 0.0.4; names begin with `tripline_`. */
function printFamilies(families: readonly MetricFamily[]): string {
  return families.map(printFamily).join('')
}

function printFamily({ name, help, type, samples }: MetricFamily): string {
  const full = `tripline_${name}`
  const lines = samples.map(({ suffix = '', labels, value }) => `${full}${suffix}${printLabels(labels)} ${value}\n`)
  return `# HELP ${full} ${escapeHelp(help)}\n# TYPE ${full} ${type}\n${lines.join('')}`
}

function printLabels(labels: { readonly [name: string]: string }): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`)
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', String.raw`\"`)
}
