import { limits as contractLimits } from '@tripline/contract/limits'

/** Limits of tokens, keys, sessions, accounts and request rates, each with its unit and the reason for it. */
export const limits = {
  auth: {
    ...contractLimits.auth,
    /** Characters of an access token, ours or an external issuer's; all headers of a request together have 16 KiB. */
    tokenLengthMax: 8_192,
    /** Minimum characters of the metrics token. */
    scrapeTokenLengthMin: 16,
    /** Lifetime of our access tokens in milliseconds, and the tolerated clock difference. */
    accessTokenMs: 900_000,
    clockSkewMs: 30_000,
    /** Milliseconds between two looks at the signing keys: tokens that a command signed with a new one are refused until then. */
    signingKeyCheckMs: 5_000,
    /** Age in milliseconds at which a token of an external issuer is refused, even if it claims a longer life. */
    externalTokenAgeMs: 86_400_000,
    /** Characters of an id inside a token: subject, session, token. */
    tokenIdLengthMax: 256,
    /** Cached verified tokens, and the characters of one: about 20 MB of text. */
    cachedTokensMax: 10_000,
    cachedTokenLengthMax: 2_048,
    /** Milliseconds after which session and user of a verified token are checked again (at most 5 s). */
    standingMs: 3_000,
    /** Milliseconds that a session may be idle, and last in total. */
    sessionIdleMs: 43_200_000,
    sessionLifetimeMs: 604_800_000,
    /** Milliseconds for which a login link is valid, and the random bytes of its token. */
    linkMs: 600_000,
    linkTokenBytes: 32,
    /** Characters of a refresh token. */
    refreshTokenLengthMax: 1_024,
    /** Passwords waiting to be hashed one at a time at 32 MiB; beyond them 503. */
    passwordsWaitingMax: 32,
    /** Characters of a user agent that are read; browsers send about 120. */
    userAgentLengthMax: 512,
    /** Characters of a JWKS document, and its keys. */
    keySetLengthMax: 262_144,
    keySetKeysMax: 100,
    /** Milliseconds after which remote keys are fetched again, and between two attempts. */
    keySetFreshMs: 600_000,
    keySetAttemptMs: 30_000,
    /** Milliseconds for fetching the keys of a trusted issuer. */
    keySetTimeoutMs: 10_000,
    /** Default and maximum lifetime of an API key in milliseconds. */
    apiKeyLifetimeMs: 31_536_000_000,
    apiKeyLifetimeMaxMs: 63_072_000_000,
    /** Milliseconds before its end in which a key is said to expire soon. */
    apiKeyNoticeMs: 1_209_600_000,
  },
  signOn: {
    /** Milliseconds from leaving for an identity provider to coming back, and the characters of the cookie meanwhile. */
    attemptMs: 600_000,
    attemptLengthMax: 4_096,
    /** Attempts that came back, kept until they would have expired, so that each does once. */
    usedAttemptsMax: 100_000,
    /** Milliseconds of a request to an identity provider, and the bytes of its response. */
    requestMs: 10_000,
    responseBytesMax: 262_144,
    /** Bytes of the claims of a user as JSON, which the session keeps. */
    claimsBytesMax: 65_536,
    /** Random bytes of state, nonce and code verifier (RFC 7636: 43 characters at least). */
    randomBytes: 32,
    /** Bytes of the form with which a browser brings an assertion: 150 groups with long names take a quarter of it. */
    assertionFormBytesMax: 262_144,
    /** Elements and levels of a response of SAML: providers use ten levels, and two elements a group; verifying that many takes 0.1 s. */
    xmlElementsMax: 1_500,
    xmlDepthMax: 32,
    /** Milliseconds in which a response must be verified, with the start of the thread: 100 times what the largest takes. */
    verifyMs: 30_000,
    /** Milliseconds without a login after which the thread ends: a user at the provider takes minutes. Megabytes of its heap. */
    verifierIdleMs: 300_000,
    verifierHeapMbMax: 128,
    /** Responses of a tenant that wait to be verified at once; more are refused: ten take a second at most. */
    verifiersWaitingMax: 10,
    /** Bits of the RSA key with which a provider signs assertions (NIST SP 800-131A). */
    rsaBitsMin: 2_048,
    /** Answers of providers that speak SAML between two requests of a browser, and milliseconds that one is kept. */
    answersMax: 1_000,
    answerMs: 60_000,
  },
  scim: {
    /** Tokens of a tenant with which users are provisioned: a second one while the first is replaced; milliseconds that one is valid. */
    tokensMax: 2,
    tokenLifetimeMs: 31_536_000_000,
    /** Groups of a tenant: each is read for the roles of its members. */
    groupsMax: 500,
    /** Members of all groups of a tenant together: a page of groups has them all. */
    membersMax: 20_000,
    /** Characters of a value, and values of an attribute: a group may have all users of a tenant. */
    valueLengthMax: 254,
    valuesMax: 1_000,
    /** Bytes of a user's addresses, names and roles as JSON. */
    attributesBytesMax: 16_384,
    /** Characters of a filter, its words, and its levels of parentheses, because its parser recurses. */
    filterLengthMax: 2_048,
    filterTokensMax: 200,
    filterDepthMax: 20,
    /** Operations of one request: providers send a group's members one by one. */
    operationsMax: 1_000,
    /** Members that an entry of the audit trail names; it counts all. */
    membersNotedMax: 100,
    /** Resources of a page, also without a wanted number. */
    pageSizeMax: 200,
  },
  admin: {
    ...contractLimits.admin,
    /** Users of a tenant, and active API keys; neither list is paginated. */
    usersMax: 1_000,
    apiKeysMax: 500,
    /** Tenants of a server; their list is not paginated either. */
    tenantsMax: 5_000,
    /** Random bytes of a one-time password, and of a TOTP secret (RFC 4226). */
    givenPasswordBytes: 15,
    totpSecretBytes: 20,
    /** Milliseconds between two records of a key's last use: a record is a synced write. */
    keyUseNotedMs: 60_000,
  },
  rate: {
    /** Milliseconds of the window of the rate limits, and the requests allowed in it. */
    windowMs: 60_000,
    userRequestsMax: 600,
    tenantRequestsMax: 6_000,
    loginsPerAccountMax: 10,
    loginsPerAddressMax: 30,
    /** Logins at identity providers begun and ended in the window, by address: an office shares one. */
    signOnsPerAddressMax: 240,
    /** Requests per minute to the public API on each plan; the plan `custom` has its own number. */
    freePlanRequestsMax: 60,
    mdrPlanRequestsMax: 300,
    proPlanRequestsMax: 1_000,
    /** Requests per minute and address to the public API without a valid key: they are refused anyway. */
    unauthenticatedRequestsMax: 60,
    /** Users, tenants, accounts or addresses tracked at once; the one idle for longest is evicted. */
    countedMax: 50_000,
  },
} as const
