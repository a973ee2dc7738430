import type { AssetTimelineBody } from '@tripline/contract/console/enrichment/asset-activity'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { printTick, printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import styles from './activity-lanes.module.css'

type Entry = AssetTimelineBody['timeline'][number]

const width = 480
const laneHeight = 18
/** The order of the lanes; a kind of which nothing happened has none. */
const kinds = ['alert', 'logon', 'finding_opened', 'finding_closed', 'scan', 'collector', 'change', 'seen'] as const

/** What happened to an asset, a lane for each kind on one axis of time; the list below it says the same. */
export function ActivityLanes({ entries }: { readonly entries: readonly Entry[] }): ReactNode {
  const times = entries.map(({ at }) => Date.parse(at))
  const [first, last] = [Math.min(...times), Math.max(...times)]
  if (entries.length < 2 || last === first) return null
  const lanes = kinds.filter((kind) => entries.some((entry) => entry.kind === kind))
  const toX = (at: string): number => 6 + ((Date.parse(at) - first) / (last - first)) * (width - 12)
  return (
    <div className={styles['lanes']}>
      <ul className={styles['names']} aria-hidden>
        {lanes.map((kind) => <li key={kind} style={{ height: laneHeight }}>{t(`assets.kind.${kind}`)}</li>)}
      </ul>
      <div>
        <svg
          className={styles['chart']}
          viewBox={`0 0 ${width} ${lanes.length * laneHeight}`}
          role="img"
          aria-label={t('assets.lanes', { count: entries.length, from: printTime(first), to: printTime(last) })}
        >
          {lanes.map((kind, lane) => (
            <g key={kind}>
              <line className={styles['lane']} x1={0} x2={width} y1={(lane + 0.5) * laneHeight} y2={(lane + 0.5) * laneHeight} />
              {entries.map(({ at, kind: own, title, severity, count }, index) => {
                if (own !== kind) return null
                const tone = kind === 'alert' || kind === 'finding_opened' ? toLevel(severity) : 'plain'
                return (
                  <circle key={index} className={styles[tone]} cx={toX(at)} cy={(lane + 0.5) * laneHeight} r={count > 1 ? 5 : 4}>
                    <title>{`${printTime(at)}: ${toVisibleText(title)}`}</title>
                  </circle>
                )
              })}
            </g>
          ))}
        </svg>
        <div className={styles['axis']} aria-hidden>
          <span>{printTick(first, last - first)}</span>
          <span>{printTick(last, last - first)}</span>
        </div>
      </div>
    </div>
  )
}

const levels = ['critical', 'high', 'medium', 'low'] as const

function toLevel(severity: string | null): (typeof levels)[number] | 'plain' {
  return levels.find((level) => level === severity) ?? 'plain'
}
