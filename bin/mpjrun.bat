@echo off
rem Does on Windows what mpjrun.sh does elsewhere: finds a JDK 25, builds Rankwire when it has not been built, and
rem starts the ranks.
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

call :jars
if not defined built (
    echo rankwire: building for the first time, which takes a minute... 1>&2
    pushd "%base%"
    call mvn -B -q -DskipTests -pl core,tools,mpi package 1>&2
    popd
    call :jars
)
if not defined built (
    echo rankwire: there is no build in %base%, and none could be made: it takes Maven 3.8 or newer 1>&2
    exit /b 2
)

"%java%" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "-Drankwire.core=%core%" "-Drankwire.mpi=%mpi%" ^
    -cp "%tools%;%core%" io.rankwire.tools.Main mpjrun %*
exit /b %errorlevel%

:jars
set "built="
set "core="
set "tools="
set "mpi=%base%\lib\mpi.jar"
for %%f in ("%base%\core\target\rankwire-core-*.jar") do set "core=%%~ff"
for %%f in ("%base%\tools\target\rankwire-tools-*.jar") do set "tools=%%~ff"
if defined core if defined tools if exist "%mpi%" set "built=yes"
exit /b 0
