@echo off
rem Does on Windows what the script rankwire does elsewhere, in an installed archive: finds a JDK 25 and runs the command
rem line. It builds nothing; it has not been tried on Windows.
setlocal
for %%d in ("%~dp0..") do set "base=%%~fd"

set "java="
if defined JAVA25_HOME if exist "%JAVA25_HOME%\bin\java.exe" set "java=%JAVA25_HOME%\bin\java.exe"
if not defined java if defined JAVA_HOME if exist "%JAVA_HOME%\bin\java.exe" set "java=%JAVA_HOME%\bin\java.exe"
if not defined java for %%j in (java.exe) do set "java=%%~$PATH:j"
if not defined java (
    echo rankwire: needs a JDK 25 or newer and found none; install one, or set JAVA25_HOME to where it is 1>&2
    exit /b 2
)
if not exist "%base%\lib\rankwire.jar" (
    echo rankwire: %base%\lib\rankwire.jar is missing; unpack the archive again 1>&2
    exit /b 2
)
"%java%" -jar "%base%\lib\rankwire.jar" %*
exit /b %errorlevel%
