// What tests use of the library. Its own types bring those of browsers, which differ from Node's.

export declare class SignedXml {
  constructor(options: {
    readonly privateKey: string
    readonly signatureAlgorithm: string
    readonly canonicalizationAlgorithm: string
    readonly publicCert?: string
  })
  enableHMAC(): void
  addReference(reference: { readonly xpath: string; readonly transforms: readonly string[]; readonly digestAlgorithm: string }): void
  computeSignature(xml: string, options: { readonly location: { readonly reference: string; readonly action: 'after' } }): void
  getSignedXml(): string
}
