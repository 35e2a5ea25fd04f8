/** Address of a contact: its phone, else its private id. */
export const jidOf = ({ phone, businessScopedId }: { phone: string | null; businessScopedId: string | null }) => {
  if (phone !== null) return `${phone.slice(1)}@s.whatsapp.net`
  const id = /^LID\.(\d+)$/.exec(businessScopedId ?? '')?.[1]
  return id ? `${id}@lid` : null
}

/** Prefixed, since a device's short ids could collide with another channel's. */
export const idOf = (id: string) => `web.${id}`
