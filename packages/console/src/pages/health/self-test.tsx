import type { SelfTestBody } from '@tripline/contract/console/self-test'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { Pill } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast-store.ts'
import styles from './health-page.module.css'

type StageStatus = SelfTestBody['stages'][number]['status']

const tones: { readonly [Status in StageStatus]: Tone } = { passed: 'ok', failed: 'bad', skipped: 'neutral' }

/** Sends an event the whole way through the server, and shows how each stage went. */
export function SelfTest(): ReactNode {
  const [test, setTest] = useState<SelfTestBody>()
  const [isRunning, setIsRunning] = useState(false)
  const run = async (): Promise<void> => {
    setIsRunning(true)
    try {
      setTest(await callApi<SelfTestBody>('/v1/health/self-test', { method: 'POST' }))
    } catch (problem) {
      showToast({ kind: 'error', text: getErrorText(problem) })
    }
    setIsRunning(false)
  }
  return (
    <section className={styles['box']} aria-label={t('health.selfTest')}>
      <h2 className={styles['title']}>{t('health.selfTest')}</h2>
      <p className={styles['about']}>{t('health.selfTest.about')}</p>
      <Button isBusy={isRunning} onClick={() => void run()}>
        {t('health.selfTest.run')}
      </Button>
      <div role="status">{test !== undefined && <Outcome test={test} />}</div>
    </section>
  )
}

function Outcome({ test: { started_at: startedAt, passed, duration_ms: durationMs, stages } }: { readonly test: SelfTestBody }): ReactNode {
  const ms = printNumber(durationMs)
  return (
    <>
      <p className={styles['about']}>
        {t(passed ? 'health.selfTest.passed' : 'health.selfTest.failed', { time: printTime(startedAt), ms })}
      </p>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th>{t('health.selfTest.stage')}</th>
            <th>{t('health.status')}</th>
            <th>{t('health.selfTest.duration')}</th>
          </tr>
        </thead>
        <tbody>
          {stages.map(({ stage, status, duration_ms: stageMs, problem }) => (
            <tr key={stage}>
              <td>{t(`health.selfTest.stage.${stage}`)}</td>
              <td>
                <Pill tone={tones[status]}>{t(`health.selfTest.${status}.stage`)}</Pill> {problem}
              </td>
              <td>{status !== 'skipped' && t('health.ms', { ms: printNumber(stageMs) })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
