import { Component } from 'react'
import type { ReactNode } from 'react'
import { LoadError, reloadPage } from '../../api/load-part.ts'
import { ErrorMessage } from '../state-message.tsx'

type Props = {
  /** What is shown: a fault of one is forgotten when another is. */
  readonly shown?: string | undefined
  /** Puts the message into a dialog, say. */
  readonly around?: (message: ReactNode) => ReactNode
  readonly children: ReactNode
}
type State = { readonly error: unknown; readonly shown: string | undefined }

/** Keeps a fault in one part of a page from taking the others down. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, shown: this.props.shown }

  static getDerivedStateFromError(error: unknown): Pick<State, 'error'> {
    return { error }
  }

  static getDerivedStateFromProps({ shown }: Props, state: State): State | null {
    return shown === state.shown ? null : { error: undefined, shown }
  }

  override render(): ReactNode {
    const { error } = this.state
    const { around = (message) => message, children } = this.props
    if (error === undefined) return children
    const retry = (): void => (error instanceof LoadError ? void reloadPage() : this.setState({ error: undefined }))
    return around(<ErrorMessage error={error} onRetry={retry} />)
  }
}
