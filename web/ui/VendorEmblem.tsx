import { withoutArticle } from '@qatra/contract/lib/text'
import { shownPicture } from '@qatra/contract/media'
import { isEmblem } from '@qatra/contract/vendors/emblems'
import { useState } from 'react'

interface VendorEmblemProps {
  /** Key of the drawn emblem; without one the initials of the name are shown. */
  emblem: string | null
  tint: string | null
  name: string
  /** An uploaded logo, preferred to the emblem; the emblem is shown if it does not load. */
  logoUrl?: string | null
  size?: number
}

export function VendorEmblem({ emblem, tint, name, logoUrl: given = null, size = 44 }: VendorEmblemProps) {
  const logoUrl = shownPicture(given)
  const [isBroken, setBroken] = useState(false)
  if (logoUrl !== null && !isBroken) {
    return (
      <img
        src={logoUrl}
        alt=""
        width={size}
        height={size}
        className="shrink-0 rounded-m object-cover"
        onError={() => setBroken(true)}
      />
    )
  }
  return (
    <svg className="tinted" color={tint ?? undefined} width={size} height={size} viewBox="0 0 48 48" aria-hidden="true">
      <rect width="48" height="48" rx="14" fill="var(--tint)" />
      <g className="text-on-deep">
        {isEmblem(emblem) ? (
          <use href={`/emblems.svg#${emblem}`} />
        ) : (
          <text x="24" y="31" textAnchor="middle" fontSize="19" fontWeight="600" fill="currentColor">
            {initialsOf(name)}
          </text>
        )}
      </g>
    </svg>
  )
}

/** First letters of the first two words; Arabic ones are separated, so that they do not join. */
function initialsOf(name: string) {
  return name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => withoutArticle(word).charAt(0))
    .join('\u200c')
}
