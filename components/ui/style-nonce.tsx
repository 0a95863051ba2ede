'use client';

import { createContext, useContext } from 'react';

/**
 * The nonce of the request that loaded the document. A style element that a library adds later is refused without it; the nonce of a later
 * request, of a page that was navigated to, would be refused too.
 */
export const StyleNonce = createContext<string | undefined>(undefined);

export const useStyleNonce = (): string | undefined => useContext(StyleNonce);
