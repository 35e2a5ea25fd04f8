export const navLink =
  'hidden h-tap items-center rounded-m px-3.5 text-ink-2 hover:text-ink aria-[current=page]:font-strong aria-[current=page]:text-ink md:flex'
export const iconButton = 'grid size-tap place-items-center rounded-m text-ink hover:bg-well'
