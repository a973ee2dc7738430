// What is used of the library. Its own types bring those of browsers, which differ from Node's, to the whole server.

type Options = {
  readonly issuer: string
  readonly audience: string
  readonly callbackUrl: string
  readonly entryPoint: string
  readonly idpIssuer: string
  readonly idpCert: string[]
  readonly wantAssertionsSigned: boolean
  readonly wantAuthnResponseSigned: boolean
  readonly identifierFormat: null
  readonly disableRequestedAuthnContext: boolean
  readonly generateUniqueId: () => string
  /** -1 has it check no times. */
  readonly acceptedClockSkewMs: number
  readonly validateInResponseTo: ValidateInResponseTo
}

type Profile = {
  /** The assertion that was verified, as `xml2js` reads it. */
  readonly getAssertion?: () => { readonly [name: string]: unknown }
}

export declare class SAML {
  constructor(options: Options)
  getAuthorizeUrlAsync(relayState: string, host: string | undefined, options: object): Promise<string>
  validatePostResponseAsync(form: { readonly SAMLResponse: string }): Promise<{ readonly profile: Profile | null }>
}

export declare enum ValidateInResponseTo {
  never = 'never',
}

export declare function generateServiceProviderMetadata(options: {
  readonly issuer: string
  readonly callbackUrl: string
  readonly identifierFormat: string
  readonly wantAssertionsSigned: boolean
  readonly generateUniqueId: () => string
}): string
