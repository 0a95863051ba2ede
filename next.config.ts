import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // `npm run check` holds the types; a build that starts the product does not check them a second time.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['pg', '@prisma/client', '@prisma/adapter-pg'],
  // A policy of 4 MiB goes up as it stands, and again in base64 inside its signature. What is cut off at either place is not whole.
  experimental: { serverActions: { bodySizeLimit: '16mb' }, proxyClientMaxBodySize: '16mb' },
  turbopack: { root: import.meta.dirname },
};

export default config;
