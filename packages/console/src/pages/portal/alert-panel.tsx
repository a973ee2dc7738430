import type { AlertDetailBody } from '@tripline/contract/console/alert'
import { useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { t, printNumber } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CommentForm, CommentList } from '../../ui/entries/comments.tsx'
import { Facts } from '../../ui/entries/facts.tsx'
import { listReasons } from '../../ui/explain-tree.tsx'
import { CircleCheck, CircleX, X } from '../../ui/icons.tsx'
import { PanelSection, SidePanel } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { getSeverity } from '../alerts/alert-columns.tsx'
import { getExplanation, useAlert, useAlertContext } from '../alerts/alert-queries.ts'
import { changeAlerts } from '../alerts/alert-store.ts'
import { WhySentence } from '../alerts/why-sentence.tsx'
import styles from './alert-panel.module.css'
import { CustomerStatus } from './portal-columns.tsx'

type AlertPanelProps = { readonly id: string; readonly mayAnswer: boolean; readonly onClose: () => void }

/** One alert as a customer needs it: why, where, what to do, and whether they know it. */
export function CustomerAlertPanel({ id, mayAnswer, onClose }: AlertPanelProps): ReactNode {
  const { data, error, refetch } = useAlert(id)
  const comment = useRef<HTMLTextAreaElement>(null)
  const alert = data?.alert
  const sendComment = async (notes: string): Promise<boolean> => {
    if (alert !== undefined) await changeAlerts([alert], { notes }, '')
    return alert !== undefined
  }
  return (
    <SidePanel
      label={alert?.rule_title ?? t('portal.alerts.title')}
      head={
        <>
          <div className={styles['line']}>
            {alert !== undefined && <SeverityLabel severity={getSeverity(alert)} />}
            {alert !== undefined && <CustomerStatus status={alert.status} />}
            <span className={styles['gap']} />
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          {alert !== undefined && <h2 className={styles['title']}>{toVisibleText(alert.rule_title)}</h2>}
        </>
      }
    >
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {alert !== undefined && (
        <>
          <Question alert={alert} mayAnswer={mayAnswer} />
          <Why alert={alert} />
          <PanelSection title={t('portal.section.where')}>
            <Facts
              facts={[
                [t('portal.where.host'), alert.event.host],
                [t('portal.where.user'), alert.event.user],
                [t('portal.where.first'), printTime(alert.event.timestamp)],
                [t('portal.where.count'), printNumber(alert.event_count)],
              ]}
            />
          </PanelSection>
          <PanelSection title={t('portal.section.comments')}>
            <CommentList comments={alert.comments} />
            {mayAnswer && <CommentForm ref={comment} onSend={sendComment} />}
          </PanelSection>
        </>
      )}
    </SidePanel>
  )
}

/** The one question: whether the customer knows what happened. The answer is a verdict, with a comment if there is more to say. */
function Question({ alert, mayAnswer }: { readonly alert: AlertDetailBody; readonly mayAnswer: boolean }): ReactNode {
  const [note, setNote] = useState('')
  const answer = (verdict: 'benign' | 'true_positive'): void => {
    const notes = note.trim()
    void changeAlerts([alert], { verdict }, t('portal.answer.sent')).then(async () => {
      if (notes !== '') await changeAlerts([{ ...alert, verdict }], { notes }, '')
      setNote('')
    })
  }
  const { verdict, reviewed_by: by } = alert
  return (
    <PanelSection title={t('portal.answer.question')}>
      {mayAnswer && (
        <div className={styles['question']}>
          <textarea
            rows={2}
            className={styles['note']}
            aria-label={t('portal.answer.note')}
            placeholder={t('portal.answer.note')}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <div className={styles['answers']}>
            <Button icon={CircleCheck} isPressed={verdict === 'benign'} onClick={() => answer('benign')}>
              {t('portal.answer.us')}
            </Button>
            <Button icon={CircleX} kind="danger" isPressed={verdict === 'true_positive'} onClick={() => answer('true_positive')}>
              {t('portal.answer.notUs')}
            </Button>
          </div>
        </div>
      )}
      {by !== null && <p className={styles['hint']}>{t('portal.answer.by', { email: toVisibleText(by) })}</p>}
    </PanelSection>
  )
}

/** What the customer should do now, given what the analysts did and what was answered. */
function getAdvice({ status, severity, verdict }: AlertDetailBody) {
  if (status === 'resolved' || status === 'false_positive') return 'portal.do.closed'
  if (verdict === 'true_positive') return 'portal.do.notUs'
  if (verdict !== 'unreviewed') return 'portal.do.us'
  return severity === 'critical' || severity === 'high' ? 'portal.do.urgent' : 'portal.do.soon'
}

function Why({ alert }: { readonly alert: AlertDetailBody }): ReactNode {
  const { data } = useAlertContext(alert.id)
  const explanation = useMemo(() => (data === undefined ? null : getExplanation(data)), [data])
  const reasons = explanation === null ? [] : listReasons(explanation)
  const problem = data === undefined || explanation !== null ? undefined : (data.explain?.problem ?? t('alerts.why.noMatch'))
  const rule = data?.rule
  const causes = rule?.false_positives.filter((cause) => !/^(?:unknown|none|unlikely)$/i.test(cause)) ?? []
  return (
    <>
      <PanelSection title={t('portal.section.why')}>
        {rule !== undefined && rule.description !== '' && <p>{toVisibleText(rule.description)}</p>}
        <WhySentence alert={alert} reasons={reasons} problem={problem} />
      </PanelSection>
      <PanelSection title={t('portal.section.do')}>
        <p>{t(getAdvice(alert))}</p>
        {causes.length > 0 && <p className={styles['hint']}>{t('portal.harmless', { causes: toVisibleText(causes.join('; ')) })}</p>}
      </PanelSection>
    </>
  )
}
