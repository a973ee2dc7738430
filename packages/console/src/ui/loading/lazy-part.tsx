import { Suspense, lazy } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { loadPart } from '../../api/load-part.ts'
import { showToast } from '../toast-store.ts'
import { ErrorBoundary } from './error-boundary.tsx'

/** What stands there while the component does not: with the message why its code did not arrive, or null while it is loaded. */
type Substitute<Props> = (props: Props, message: ReactNode) => ReactNode

/** A component whose code is loaded when it is first shown. Where that does not arrive, the rest of the page stays. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>, substitute: Substitute<Props> = (_props, message) => message,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await loadPart(load) }))
  return function LazyPart(props: Props): ReactNode {
    return (
      <ErrorBoundary around={(message) => substitute(props, message)}>
        <Suspense fallback={substitute(props, null)}>
          <Part {...props} />
        </Suspense>
      </ErrorBoundary>
    )
  }
}

/** Loads the code of a component that is probably wanted soon. A failure shows when it is. */
export function preloadPart(load: () => Promise<unknown>): void {
  load().catch(() => undefined)
}

/** Runs an action whose code is loaded when it is wanted, and tells where that does not arrive. */
export async function runPart<Action>(load: () => Promise<Action>, run: (action: Action) => Promise<void>): Promise<void> {
  let action
  try {
    action = await loadPart(load)
  } catch (error) {
    showToast({ kind: 'error', text: getErrorText(error) })
    return
  }
  await run(action)
}
