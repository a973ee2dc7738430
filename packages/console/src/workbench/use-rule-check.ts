import { useEffect, useRef, useState } from 'react'
import type { CheckRequest, RuleCheck } from './check-rule.ts'
import { RuleEngine } from './rule-engine.ts'

/** What the engine last said of a text. */
export type RuleCheckState = {
  readonly check: RuleCheck | undefined
  /** The text that it is about: positions are of it alone. */
  readonly text: string
  readonly error: string | undefined
  readonly tookMs: number
}

const unchecked: RuleCheckState = { check: undefined, text: '', error: undefined, tookMs: 0 }

/** Checks a text in the worker at each change; while one check runs only the newest text waits. */
export function useRuleCheck(request: CheckRequest): { readonly state: RuleCheckState; readonly engine: RuleEngine } {
  const [engine] = useState(() => new RuleEngine())
  const [state, setState] = useState(unchecked)
  const next = useRef<CheckRequest>(undefined)
  const isRunning = useRef(false)
  useEffect(() => () => engine.close(), [engine])
  const { text, filters, pipelines, rules, events, shown } = request
  useEffect(() => {
    const runAll = async (): Promise<void> => {
      isRunning.current = true
      for (let task = next.current; task !== undefined; task = next.current) {
        next.current = undefined
        const startedAt = performance.now()
        const took = (): number => performance.now() - startedAt
        const checked = task.text
        try {
          const check = await engine.check(task)
          setState({ check, text: checked, error: undefined, tookMs: took() })
        } catch (error) {
          setState({ check: undefined, text: checked, error: error instanceof Error ? error.message : String(error), tookMs: took() })
        }
      }
      isRunning.current = false
    }
    next.current = { text, filters, pipelines, rules, events, shown }
    if (!isRunning.current) void runAll()
  }, [engine, text, filters, pipelines, rules, events, shown])
  return { state, engine }
}
