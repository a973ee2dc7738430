import { useRouter } from '@tanstack/react-router'
import type { AlertBody } from '@tripline/contract/console/alert'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { useUser } from '../../api/use-user.ts'
import { t } from '../../i18n/translate.ts'
import { lazyPart, preloadPart, runPart } from '../../ui/loading/lazy-part.tsx'
import { toast } from '../../ui/toast-store.ts'
import { toBulkFilter } from './alert-url.ts'
import type { BulkTarget } from './bulk.ts'
import type { Excepted } from './panel/offer-exception.ts'
import { withTexts } from './panel-texts.ts'
import { decide, decideMany, toChange, toStatusTerms } from './triage.ts'
import type { TriageAction } from './triage.ts'

/** A change of more alerts shows what it would do before it is sent. */
const unaskedMax = 50

const BulkDialog = lazyPart(async () => (await withTexts(import('./bulk-dialog.tsx'))).BulkDialog)
const AssignDialog = lazyPart(async () => (await withTexts(import('./assign-dialog.tsx'))).AssignDialog)
/** The code of an action is loaded ahead, and is no part of the first page either. */
const loadOpener = async () => (await withTexts(import('./open-incident.ts'))).openIncident

const ExceptionDialog = lazyPart(async () => (await withTexts(import('./panel/exception-dialog.tsx'))).ExceptionDialog)
const loadOffer = async () => (await withTexts(import('./panel/offer-exception.ts'))).offerException

/** Loads ahead what decisions need. */
export const preloadDecisions = (): void => preloadPart(loadOpener)

type Decisions = {
  /** Decides about the chosen alerts, or about those that are named. */
  readonly act: (action: TriageAction, named?: readonly AlertBody[]) => void
  /** Decides about all alerts that parameters of the list select. */
  readonly actOnAll: (action: TriageAction, parameters: Readonly<Record<string, string>>, count: number) => void
  readonly askAssignee: (named?: readonly AlertBody[]) => void
  readonly newIncident: (named?: readonly AlertBody[]) => void
  /** The questions that come before some of them. */
  readonly dialogs: ReactNode
}

/** What one decides about alerts: at once, after a question, or after a look at what many would become. */
export function useDecisions({ listChosen, all, rows, isByStatus }: {
  /** The alerts that keys act on. */
  readonly listChosen: () => readonly AlertBody[]
  /** What selects all alerts that match, and how many they are, where all are chosen. */
  readonly all: { readonly parameters: Readonly<Record<string, string>>; readonly total: number } | undefined
  /** The alerts that are on screen. */
  readonly rows: readonly AlertBody[]
  /** Whether the list is filtered by status. */
  readonly isByStatus: boolean
}): Decisions {
  const { email } = useUser()
  const mayExcept = useMay('suppress_briefly')
  const router = useRouter()
  const [pending, setPending] = useState<{
    readonly action: TriageAction
    readonly person: string
    readonly target: BulkTarget
    readonly shown: readonly AlertBody[]
  }>()
  const [excepted, setExcepted] = useState<Excepted>()
  const [assigning, setAssigning] = useState<{ readonly named: readonly AlertBody[] | undefined }>()
  const decideNow = useCallback(
    (action: TriageAction, person: string, named?: readonly AlertBody[]) => {
      const chosen = named ?? listChosen()
      const ids = chosen.map(({ id }) => id)
      const terms = toStatusTerms(action, isByStatus)
      if (named === undefined && all !== undefined) {
        setPending({ action, person, shown: rows, target: { filter: toBulkFilter(all.parameters), expect_total: all.total, ...terms } })
      } else if (ids.length > unaskedMax) setPending({ action, person, shown: chosen, target: { ids, ...terms } })
      else {
        const [first] = chosen
        const said = toast.get()
        void decide(chosen, action, person).then(async () => {
          // A decision that changes nothing says nothing.
          if (action !== 'falsePositive' || !mayExcept || chosen.length !== 1 || first === undefined || toast.get() === said) return
          // It is an offer beside what was done: where it cannot be computed there is none.
          await runPart(loadOffer, (offerException) => offerException(first, setExcepted)).catch(() => undefined)
        })
      }
    },
    [listChosen, all, rows, isByStatus, mayExcept],
  )
  const act = useCallback(
    (action: TriageAction, named?: readonly AlertBody[]) => decideNow(action, email, named), [decideNow, email],
  )
  const actOnAll = useCallback(
    (action: TriageAction, parameters: Readonly<Record<string, string>>, count: number): void => {
      const target = { filter: toBulkFilter(parameters), expect_total: count, ...toStatusTerms(action, isByStatus) }
      setPending({ action, person: email, shown: [], target })
    },
    [email, isByStatus],
  )
  const askAssignee = useCallback(
    (named?: readonly AlertBody[]) => setAssigning((named ?? listChosen()).length > 0 ? { named } : undefined), [listChosen],
  )
  const newIncident = useCallback(
    (named?: readonly AlertBody[]) => {
      const chosen = named ?? listChosen()
      const showIncident = (id: string): void => void router.navigate({ to: '/incidents', search: { incident: id } })
      const count = named === undefined && all !== undefined ? all.total : chosen.length
      void runPart(loadOpener, (openIncident) => openIncident(chosen, count, showIncident))
    },
    [listChosen, all, router],
  )
  const dialogs = (
    <>
      {assigning !== undefined && (
        <AssignDialog
          onAssign={(person) => {
            setAssigning(undefined)
            decideNow('assign', person, assigning.named)
          }}
          onClose={() => setAssigning(undefined)}
        />
      )}
      {excepted !== undefined && <ExceptionDialog {...excepted} onClose={() => setExcepted(undefined)} />}
      {pending !== undefined && (
        <BulkDialog
          title={t(`alerts.action.${pending.action}`)}
          target={pending.target}
          set={toChange(pending.action, pending.person)}
          onConfirm={() => {
            void decideMany(pending.shown, pending.target, pending.action, pending.person)
            setPending(undefined)
          }}
          onClose={() => setPending(undefined)}
        />
      )}
    </>
  )
  return { act, actOnAll, askAssignee, newIncident, dialogs }
}
