/**
 * Hugo's layouts for the pages that the starter shell makes: the same elements, lists, dates and reading times. Hugo computes
 * the list of pages in the header once for the site (`partialCached`).
 */
export const layouts: Readonly<Record<string, string>> = {
  '404.html': `{{ define "main" }}<h1>Not found</h1>{{ end }}
`,
  'index.html': `{{ define "main" }}
<h1 class="home-title frame">{{ .Site.Title }}</h1>
<ol class="rows frame">
{{ range first 9 .Site.RegularPages }}
<li>{{ partial "row.html" . }}</li>
{{ end }}
</ol>
{{ end }}
`,
  '_default/baseof.html': `{{- $language := index (split .Site.Language.Lang "-") 0 -}}
<!doctype html>
<html lang="{{ .Site.Language.Lang }}" dir="{{ if in (slice "ar" "dv" "fa" "he" "ps" "sd" "ug" "ur" "yi") $language }}rtl{{ else }}ltr{{ end }}" data-accent="{{ .Site.Params.accent | default "lichen" }}">
<head>
{{ partial "head.html" . }}
</head>
<body class="is-{{ if .IsHome }}home{{ else if .IsPage }}post{{ else }}archive{{ end }}">
<a class="skip-link" href="#content">{{ i18n "skip" | default "Skip to content" }}</a>
{{ partial "header.html" . }}
<main id="content" class="site-main" tabindex="-1">
{{ block "main" . }}{{ end }}
</main>
{{ partial "footer.html" . }}
</body>
</html>
`,
  '_default/list.html': `{{ define "main" }}
<h1 class="home-title frame">{{ .Title }}</h1>
<ol class="rows frame">
{{ $pages := .Paginate .Pages 10 }}
{{ range $pages.Pages }}
<li>{{ partial "row.html" . }}</li>
{{ end }}
</ol>
<nav>{{ with $pages.Prev }}<a href="{{ .URL }}">Newer</a>{{ end }}{{ with $pages.Next }}<a href="{{ .URL }}">Older</a>{{ end }}</nav>
{{ end }}
`,
  '_default/single.html': `{{ define "main" }}
<article class="article frame">
<header class="article-head">
<h1 class="article-title">{{ .Title }}</h1>
{{ with .Description }}
<p class="standfirst">{{ . }}</p>
{{ end }}
</header>
{{ partial "byline.html" . }}
<div class="prose">
{{ .Content }}
</div>
</article>
{{ with .Params.tags }}
{{ $tag := index . 0 }}
{{ $others := slice }}
{{ range first 4 (index $.Site.Taxonomies.tags $tag) }}
{{ if and (ne .Page $.Page) (lt (len $others) 3) }}{{ $others = $others | append .Page }}{{ end }}
{{ end }}
{{ with $others }}
<section class="related frame" aria-labelledby="related">
<h2 class="section-title" id="related">{{ i18n "more" $tag | default (printf "More on %s" $tag) }}</h2>
<ol class="rows">
{{ range . }}
<li>{{ partial "row.html" . }}</li>
{{ end }}
</ol>
</section>
{{ end }}
{{ end }}
{{ end }}
`,
  '_default/taxonomy.html': `{{ define "main" }}<h1>{{ .Title }}</h1>{{ end }}
`,
  '_default/term.html': `{{ define "main" }}<h1>{{ .Title }}</h1>{{ end }}
`,
  'partials/byline.html': `<dl class="byline">
<div><dt>{{ i18n "published" | default "Published" }}</dt><dd>{{ partial "date.html" .Date }}</dd></div>
{{ with .Params.author }}
<div><dt>{{ i18n "author" | default "Written by" }}</dt><dd>{{ . }}</dd></div>
{{ end }}
{{ $words := len (split (plainify .Content) " ") }}
<div><dt>{{ i18n "reading" | default "Reading time" }}</dt><dd>{{ math.Ceil (div (float $words) 220) }} min</dd></div>
{{ with .Params.tags }}
<div><dt>{{ i18n "filed" | default "Filed under" }}</dt><dd>{{ delimit . ", " }}</dd></div>
{{ end }}
</dl>
`,
  'partials/date.html': `<time datetime="{{ .Format "2006-01-02T15:04:05Z07:00" }}">{{ time.Format "January 2, 2006" . }}</time>
`,
  'partials/footer.html': `{{- $text := .Site.Params.footer | default (.Site.Params.tagline | default "") -}}
<footer class="site-footer">
<div class="frame site-footer-inner">
<p class="site-footer-name">{{ .Site.Title }}</p>
{{ with $text }}<p class="site-footer-text">{{ . }}</p>{{ end }}
<ul class="site-footer-links">
<li><a href="{{ "posts/" | relURL }}">{{ i18n "archive" | default "Archive" }}</a></li>
<li><a href="{{ "index.xml" | relURL }}">{{ i18n "feed" | default "Feed" }}</a></li>
</ul>
</div>
</footer>
`,
  'partials/head.html': `{{- $summary := .Description | default (.Site.Params.tagline | default "") -}}
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ with .Params.seo_title }}{{ . }}{{ else }}{{ if .IsHome }}{{ .Site.Title }}{{ else }}{{ .Title }} · {{ .Site.Title }}{{ end }}{{ end }}</title>
{{ with $summary }}<meta name="description" content="{{ . }}">{{ end }}
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="{{ "style.css" | relURL }}">
<link rel="icon" type="image/svg+xml" href="{{ "favicon.svg" | relURL }}">
<link rel="alternate" type="application/rss+xml" title="{{ .Site.Title }}" href="{{ "index.xml" | relURL }}">
<link rel="canonical" href="{{ .Permalink }}">
<meta property="og:url" content="{{ .Permalink }}">
<meta property="og:site_name" content="{{ .Site.Title }}">
<meta property="og:type" content="{{ if .IsPage }}article{{ else }}website{{ end }}">
<meta property="og:title" content="{{ .Title }}">
{{ with $summary }}<meta property="og:description" content="{{ . }}">{{ end }}
<meta property="og:locale" content="{{ replace .Site.Language.Lang "-" "_" }}">
{{ if .IsPage }}
<meta property="article:published_time" content="{{ .Date.Format "2006-01-02T15:04:05Z07:00" }}">
{{ range .Params.tags }}
<meta property="article:tag" content="{{ . }}">
{{ end }}
{{ end }}
{{ with .Params.author }}<meta name="author" content="{{ . }}">{{ end }}
`,
  'partials/header.html': `<header class="site-header frame">
<a class="site-name" href="{{ "/" | relURL }}"{{ if .IsHome }} aria-current="page"{{ end }}>{{ partial "mark.html" . }}<span>{{ .Site.Title }}</span></a>
<nav class="site-nav" aria-label="Main">
<ul>
<li><a href="{{ "posts/" | relURL }}">{{ i18n "archive" | default "Archive" }}</a></li>
{{ partialCached "pages.html" . }}
</ul>
</nav>
</header>
`,
  'partials/mark.html': `<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false"><path d="M3.5 27.5c-1.6-2.6-.4-6.4 3-7.2 5.8-1.4 13.4-1.6 19.1-.1 3.3.9 4.5 4.7 2.9 7.3-.4.7-1.1 1-1.9 1H5.4c-.8 0-1.5-.3-1.9-1z"/><path d="M8.3 17.6c-1.5-2.3-.3-5.7 2.4-6.3 3.9-.9 7.2-.8 11 .2 2.6.7 3.6 3.8 2.2 6.1-4.8-1-10.8-1-15.6 0z"/><path d="M12.4 9.3c-1.1-1.9-.2-4.7 1.8-5.2 1.6-.4 3.1-.3 4.6.2 1.9.6 2.5 3.2 1.4 5-2.5-.5-5.2-.5-7.8 0z"/></svg>
`,
  'partials/pages.html': `{{ range first 5 (where .Site.RegularPages.ByDate "Section" "pages") }}
<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>
{{ end }}
`,
  'partials/row.html': `<article class="row">
<p class="row-date">{{ partial "date.html" .Date }}</p>
<div class="row-text">
<h3 class="row-title"><a href="{{ .RelPermalink }}">{{ .Title }}</a></h3>
{{ with .Description }}
<p class="row-excerpt">{{ . }}</p>
{{ end }}
</div>
{{ with .Params.tags }}
<p class="row-tags">{{ delimit . ", " }}</p>
{{ end }}
</article>
`,
};
