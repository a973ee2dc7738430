import { Component } from 'react'
import type { ReactNode } from 'react'
import { ErrorMessage } from './state-message.tsx'

type Props = { readonly children: ReactNode }

/** Keeps a fault in one part of a page from taking the others down. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: undefined }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === undefined ? this.props.children : <ErrorMessage error={error} onRetry={() => this.setState({ error: undefined })} />
  }
}
