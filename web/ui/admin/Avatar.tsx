import { classes } from '../class-names.ts'
import { UserIcon } from '../icons.tsx'

/** First letter of an Arabic name, since Arabic has no initials; two initials of a Latin name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.map((word) => [...word].find((sign) => /[\p{L}\p{N}]/u.test(sign)) ?? '').filter(Boolean)
  const [first = '', second = ''] = letters
  return (/\p{Script=Latin}/u.test(first) ? first + second : first).toUpperCase()
}

const sizes = { normal: 'size-8.5 text-label', small: 'size-6.5 text-caption', large: 'size-10 text-label' }

/**
 * A person as a disc with initials, or with an icon if `name` is a phone number. `title` is required unless the name is
 * shown beside it.
 */
export function Avatar({ name, size = 'normal', title }: { name: string; size?: keyof typeof sizes; title?: string }) {
  return (
    <span
      title={title}
      className={classes(
        'grid flex-none place-items-center rounded-full bg-gulf-soft font-strong text-gulf',
        sizes[size],
      )}
    >
      <span aria-hidden="true">{/\p{L}/u.test(name) ? initialsOf(name) : <UserIcon size={16} />}</span>
      {title && <span className="sr-only">{title}</span>}
    </span>
  )
}
