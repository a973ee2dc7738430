import { useCallback, useState } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { showToast } from '../toast-store.ts'

/** Something that a form does: whether it runs, and what the server refused. */
export type Task = {
  readonly problem: string | undefined
  readonly isBusy: boolean
  /** Runs it; afterwards the message says that it is done. */
  readonly run: (task: () => Promise<unknown>, message?: string) => Promise<boolean>
  /** Forgets what the server refused. */
  readonly clear: () => void
}

/** Runs one task at a time, and keeps what went wrong beside the form. */
export function useTask(): Task {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  return {
    problem,
    isBusy,
    clear: useCallback(() => setProblem(undefined), []),
    run: async (task, message) => {
      setIsBusy(true)
      setProblem(undefined)
      try {
        await task()
        if (message !== undefined) showToast({ kind: 'notice', text: message })
        return true
      } catch (error) {
        setProblem(getErrorText(error))
        return false
      } finally {
        setIsBusy(false)
      }
    },
  }
}
