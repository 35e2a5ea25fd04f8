import type { ComponentProps, ReactNode } from 'react'
import { TwoThumbs } from '../../ui/ProductPicture.tsx'

interface AgainRowProps extends ComponentProps<typeof TwoThumbs> {
  id: string
  title: string
  text: string
  /** The button. */
  children: ReactNode
}

/** One line at the top of the home page that orders again: what, and a button. */
export function AgainRow({ id, items, tint, title, text, children }: AgainRowProps) {
  return (
    <section
      aria-labelledby={id}
      className="mt-2 flex min-h-12 flex-wrap items-center justify-end gap-x-2 gap-y-1 sm:gap-x-3"
    >
      {/* In English, whose words are longer, a phone has no room for them. */}
      <TwoThumbs items={items} tint={tint} className="shrink-0 ltr:max-sm:hidden" />
      <div className="min-w-[min(5rem,100%)] flex-1">
        <h2 id={id} className="text-[0.9375rem] leading-[1.5] font-strong">
          {title}
        </h2>
        <p dir="auto" className="line-clamp-2 text-as-page text-label leading-[1.5] text-ink-3">
          {text}
        </p>
      </div>
      {children}
    </section>
  )
}
