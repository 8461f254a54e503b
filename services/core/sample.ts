/** Values that the examples of the OpenAPI document share. */
export const sample = {
  id: '4f9c2c52-6f0e-4a5b-9d0c-6a4f6f1b2c3d',
  other: '0b7d5f0a-5b1e-4c57-8c43-2f0f9be1a111',
  at: '2026-11-21T08:30:00Z',
  sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  url: 'https://www.example.com',
} as const;
