import { z } from 'zod'
import { limits } from '../../limits.ts'

const bounds = limits.signOn
const scope = z.string().max(bounds.scopeLengthMax).regex(/^[!#-[\]-~]+$/, 'must be one scope without blanks')
const tenantRole = z.enum(['viewer', 'analyst', 'engineer', 'admin', 'auditor'])

/** Whether a login page offers sign-on, and whether it must ask for the organization first. */
export const signOnOfferSchema = z.strictObject({
  is_available: z.boolean(),
  asks_organization: z.boolean(),
})
export type SignOnOfferBody = z.infer<typeof signOnOfferSchema>

/** Where a login begins. */
export const signOnStartQuerySchema = z.object({
  /** An email address or the id of a tenant; optional on a server with one tenant. */
  organization: z.string().min(1).max(limits.auth.emailLengthMax).optional(),
})

/** What the identity provider sends back with the browser (OpenID Connect Core, RFC 9207). */
export const signOnCallbackQuerySchema = z.object({
  code: z.string().optional(),
  state: z.string().optional(),
  iss: z.string().optional(),
  error: z.string().optional(),
})

/** What a browser posts for a provider that speaks SAML (SAML 2.0 bindings, HTTP-POST). */
export const samlResponseSchema = z.object({
  /** The response in base64. */
  SAMLResponse: z.string().min(1),
})

/** How a browser ends a login whose assertion was taken. */
export const samlFinishQuerySchema = z.object({ code: z.string().min(1).max(128) })

const protocol = z.enum(['oidc', 'saml'])

/** How a tenant's users log in at its identity provider. */
export const signOnSchema = z.strictObject({
  /** What the provider speaks: OpenID Connect or SAML 2.0. */
  protocol,
  enabled: z.boolean(),
  /** Whether passwords are refused, but for the admin kept for emergencies. */
  enforced: z.boolean(),
  /** The issuer of OpenID Connect, or the entity id of a provider that speaks SAML. */
  issuer: z.string(),
  client_id: z.string(),
  /** Whether a client secret is stored; it is never shown. */
  has_client_secret: z.boolean(),
  scopes: z.array(z.string()),
  /** Where a provider that speaks SAML logs users in. */
  login_url: z.string(),
  /** The certificates, in PEM, with whose keys a provider that speaks SAML signs assertions. */
  certificates: z.array(z.string()),
  /** Domains of email addresses that lead to this tenant. */
  email_domains: z.array(z.string()),
  /** The admin who can still log in by password while it is enforced. */
  break_glass_user_id: z.string().nullable(),
  /** What to register at the provider; null without a public URL of the server. */
  redirect_uri: z.string().nullable(),
  /** What to register at a provider that speaks SAML; null without a public URL of the server. */
  service_provider: z.strictObject({ entity_id: z.string(), acs_url: z.string(), metadata_url: z.string() }).nullable(),
  /** The last test login at this provider; null before one. */
  last_test: z.strictObject({
    at: z.string(),
    /** Whether a login would have succeeded. */
    succeeded: z.boolean(),
    /** Why it would not have. */
    problem: z.string().nullable(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    roles: z.array(tenantRole),
    claims: z.record(z.string(), z.unknown()),
  }).nullable(),
})
export type SignOnBody = z.infer<typeof signOnSchema>

/** All of it; an omitted client secret is kept, and so are scopes, login URL and certificates. */
export const signOnPutSchema = z.strictObject({
  protocol: protocol.default('oidc'),
  enabled: z.boolean(),
  enforced: z.boolean(),
  issuer: z.string().max(bounds.issuerLengthMax),
  client_id: z.string().max(bounds.clientIdLengthMax),
  client_secret: z.string().min(1).max(bounds.clientSecretLengthMax).optional(),
  scopes: z.array(scope).max(bounds.scopesMax).optional(),
  login_url: z.string().max(bounds.loginUrlLengthMax).optional(),
  certificates: z.array(z.string().max(bounds.certificateLengthMax)).max(bounds.certificatesMax).optional(),
  email_domains: z.array(z.string().max(limits.admin.domainLengthMax)).max(bounds.domainsMax),
  break_glass_user_id: z.string().max(128).nullable(),
})

export type SignOnChangeBody = z.input<typeof signOnPutSchema>

/** Where a test login begins. */
export const signOnTestSchema = z.strictObject({ url: z.string() })
