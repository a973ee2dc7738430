/** The part of Trusted Types (W3C) that is used; the DOM library of TypeScript does not describe it. */
type TrustedTypesWindow = {
  readonly trustedTypes?: {
    readonly createPolicy: (name: string, rules: { readonly createScriptURL: (url: string) => string }) => unknown
  }
}

/**
 * Creates the default policy of Trusted Types, before anything else runs: scripts and workers are loaded from our own
 * `/files/` alone, or where else the files lie. It has no rule for HTML, so `innerHTML` throws for every library.
 */
export function installTrustedTypes(page: TrustedTypesWindow & Pick<Window, 'location'>, folder = '/files/'): void {
  page.trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      const { origin, pathname } = new URL(url, page.location.href)
      if (origin === page.location.origin && pathname.startsWith(folder)) return url
      throw new TypeError(`scripts are loaded from ${folder} alone, not from ${origin}${pathname}`)
    },
  })
}
