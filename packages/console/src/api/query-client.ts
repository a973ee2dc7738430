import { QueryClient } from '@tanstack/react-query'

/** The cache of what was read: one entry for each resource, emptied when the tenant changes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client retries what can be retried; a list that is on screen changes when the person asks for it.
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      staleTime: 30_000,
    },
  },
})
