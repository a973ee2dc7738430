import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { loadLanguage, printNumber, t } from '../i18n/translate.ts'
import { getShownTheme, look, toggleTheme } from '../lib/look.ts'
import { useStore } from '../lib/use-store.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { copyText } from '../ui/copy-text.ts'
import { LogoIcon, Moon, Share, Sun } from '../ui/icons.tsx'
import { ToastRegion } from '../ui/toast.tsx'
import { showToast } from '../ui/toast-store.ts'
import { EditorPane } from '../workbench/editor-pane.tsx'
import type { EditorPlace } from '../workbench/editor.tsx'
import { TestPane } from '../workbench/test-pane.tsx'
import { useRuleCheck } from '../workbench/use-rule-check.ts'
import { exampleEvents, exampleRule } from './example.ts'
import styles from './playground.module.css'
import { printShared, unpackedMax } from './share.ts'
import type { Shared } from './share.ts'

const nothing: readonly never[] = []

/** The workbench without a server: a rule, events, why it matches, its tests and problems, and a link that carries all of it. */
export function Playground({ shared, isDamaged }: {
  readonly shared: Shared | undefined
  /** Whether the address is a link that cannot be read. */
  readonly isDamaged: boolean
}): ReactNode {
  const { language } = useStore(look)
  const [text, setText] = useState(shared?.text ?? exampleRule)
  const [events, setEvents] = useState(shared?.events ?? exampleEvents)
  const [shown, setShown] = useState(0)
  const [place, setPlace] = useState<EditorPlace>()
  const { state, engine } = useRuleCheck({ text, filters: nothing, pipelines: nothing, rules: nothing, events, shown })
  useEffect(() => {
    document.title = t('playground.documentTitle')
  }, [language])
  useEffect(() => {
    if (isDamaged) showToast({ kind: 'error', text: t('playground.damaged') })
  }, [isDamaged])
  const share = async (): Promise<void> => {
    const fragment = await printShared({ text, events })
    if (fragment === undefined) {
      showToast({ kind: 'error', text: t('playground.tooLong', { max: printNumber(unpackedMax) }) })
      return
    }
    history.replaceState(undefined, '', fragment)
    await copyText(location.href)
  }
  const changeLanguage = async (): Promise<void> => {
    const next = language === 'en' ? 'ko' : 'en'
    await loadLanguage(next)
    look.update((now) => ({ ...now, language: next }))
  }
  const isDark = getShownTheme() === 'dark'
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <LogoIcon size={18} aria-hidden />
        <h1 className={styles['title']}>{t('playground.title')}</h1>
        <p className={styles['note']}>{t('playground.note')}</p>
        <Button icon={Share} onClick={() => void share()}>{t('playground.share')}</Button>
        <Button kind="ghost" onClick={() => void changeLanguage()}>{t('playground.language')}</Button>
        <IconButton icon={isDark ? Sun : Moon} label={isDark ? t('head.theme.light') : t('head.theme.dark')} onClick={toggleTheme} />
      </header>
      <main className={styles['body']}>
        <EditorPane text={text} onChange={setText} isReadOnly={false} state={state} engine={engine} place={place} />
        <TestPane state={state} events={events} onEvents={setEvents} shown={shown} onShown={setShown} onGoTo={setPlace} />
      </main>
      <ToastRegion />
    </div>
  )
}
