import type { AlertBody, AlertDetailBody } from '@tripline/contract/console/alert'
import type { ExplanationBody } from '@tripline/contract/console/rule'
import type { ExceptionPreviewBody } from '@tripline/contract/console/rules/exception-preview'
import { callApi } from '../../../api/client.ts'
import { t } from '../../../i18n/translate.ts'
import { listReasons } from '../../../ui/explain-tree.tsx'
import { offerMore, toast } from '../../../ui/toast-store.ts'
import { getExplanation, readWhy } from '../alert-queries.ts'
import { proposeConditions, toDetection } from './propose-exception.ts'

/** An alert with why its rule matched, as the dialog of an exception takes it. */
export type Excepted = {
  readonly alert: AlertDetailBody
  readonly reasons: readonly Extract<ExplanationBody, { readonly op: string }>[]
}

/** Who decides about alert after alert wants no offer for each: it is computed once the message of one has stayed for this time. */
const stayMs = 400

/**
 * Offers an exception for an alert that was just decided to be a false positive, beside the message of that: with what it would
 * have hidden of the last 30 days. Nothing is offered where the rule cannot have one, or no longer matches.
 */
export async function offerException({ id, rule_id: rule }: AlertBody, onTake: (excepted: Excepted) => void): Promise<void> {
  const shown = toast.get()
  if (shown?.kind !== 'notice') return
  await new Promise((resolve) => setTimeout(resolve, stayMs))
  if (toast.get() !== shown) return
  const { alert, context } = await readWhy(id)
  const explanation = getExplanation(context)
  if (alert.correlation !== null || explanation === null) return
  const reasons = listReasons(explanation)
  const conditions = proposeConditions(alert, reasons).filter(({ isChosen }) => isChosen)
  if (conditions.length === 0 || toast.get() !== shown) return
  const { hidden, truncated, by_verdict: verdicts } = await callApi<ExceptionPreviewBody>(
    `/v1/detection/rules/${encodeURIComponent(rule)}/exceptions/preview`, { method: 'POST', body: { detection: toDetection(conditions) } },
  )
  const facts = { count: hidden, more: truncated ? '+' : '', confirmed: verdicts.true_positive }
  offerMore(shown, { text: t('alerts.exception.offer', facts), run: () => onTake({ alert, reasons }) })
}
