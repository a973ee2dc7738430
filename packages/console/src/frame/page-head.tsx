import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { slowedCount } from '../api/client.ts'
import { live, togglePause } from '../api/live.ts'
import { printNumber, t } from '../i18n/translate.ts'
import { useNow } from '../lib/clock.ts'
import { printClock } from '../lib/format-time.ts'
import { getShownTheme, look, toggleTheme } from '../lib/look.ts'
import { useStore } from '../lib/use-store.ts'
import type { TimeRange } from '../lib/time-range.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Moon, Search, Sun } from '../ui/icons.tsx'
import { TimePicker } from '../ui/time-picker.tsx'
import { openOverlay } from './overlay.ts'
import styles from './page-head.module.css'

type PageHeadProps = {
  readonly title: string
  /** The title of the document, where it says more: `3 new - Alerts`. */
  readonly documentTitle?: string
  readonly range?: TimeRange
  readonly onRange?: (range: TimeRange) => void
  readonly children?: ReactNode
}

/** The head of a page: its title, live state, time range, and the way to everything else. */
export function PageHead({ title, documentTitle = title, range, onRange, children }: PageHeadProps): ReactNode {
  useEffect(() => {
    document.title = `${documentTitle} - ${t('app.name')}`
  }, [documentTitle])
  return (
    <header className={styles['head']}>
      <h1 className={styles['title']} title={title}>{title}</h1>
      {children}
      <LiveState />
      {range !== undefined && onRange !== undefined && <TimePicker range={range} onChange={onRange} />}
      <Button kind="ghost" icon={Search} keys="Mod+k" onClick={() => openOverlay('palette')}>
        {t('head.goTo')}
      </Button>
      <ThemeButton />
    </header>
  )
}

const oldMs = 60_000

/** Whether changes arrive by themselves, or of when the page is; a click pauses that. */
function LiveState(): ReactNode {
  const { kind, rate, at } = useStore(live)
  const isSlowed = useStore(slowedCount, (count) => count > 0)
  const now = useNow()
  // Metrics come every five seconds: without one for so long, what is shown is not of now.
  const isOld = kind !== 'on' && at !== undefined && now - at > oldMs
  const text = {
    off: t('live.off'),
    connecting: t('live.connecting'),
    paused: t('live.paused'),
    on: t('live.on'),
  }[kind]
  return (
    <button
      type="button"
      className={styles['live']}
      data-kind={kind}
      title={kind === 'paused' ? t('live.resume') : t('live.pause')}
      onClick={togglePause}
    >
      <span className={styles['dot']} aria-hidden />
      {text}
      {kind === 'on' && rate !== undefined && <span className={styles['rate']}>· {t('live.rate', { rate: printNumber(rate) })}</span>}
      {isSlowed && ` · ${t('live.slowed')}`}
      {isOld && ` · ${t('live.asOf', { time: printClock(at) })}`}
    </button>
  )
}

function ThemeButton(): ReactNode {
  useStore(look)
  const isDark = getShownTheme() === 'dark'
  return <IconButton icon={isDark ? Sun : Moon} label={isDark ? t('head.theme.light') : t('head.theme.dark')} onClick={toggleTheme} />
}
