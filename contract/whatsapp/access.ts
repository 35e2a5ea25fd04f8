/** Callers of the inbox, by permission; the server's policy decides which conversations they reach. */
export const mayRead = { allow: 'admin', permissions: ['whatsapp.read'] } as const
export const mayReply = { allow: 'admin', permissions: ['whatsapp.read', 'whatsapp.reply'] } as const
/** Of the whole market: new conversations, canned replies, templates. */
export const mayManage = { allow: 'super', permissions: ['whatsapp.read', 'whatsapp.write'] } as const
