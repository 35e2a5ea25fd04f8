import type { ReactNode } from 'react'

/** Text page in one column of readable width. */
export function Prose({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <main id="main" className="wrap max-w-180 py-4 md:py-8">
      <h1 className="text-display">{title}</h1>
      {lead && <p className="mt-2 text-heading font-regular text-ink-2">{lead}</p>}
      {children}
    </main>
  )
}

export function Passage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-7">
      <h2 className="text-heading">{title}</h2>
      <div className="mt-1 text-ink-2">{children}</div>
    </section>
  )
}
